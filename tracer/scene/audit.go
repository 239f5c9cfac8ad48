package scene

// audit reports broken objects that nothing drawn uses.
func (d *document) audit() {
	for i, b := range d.buffers {
		if b.err != nil && !b.standIn {
			d.warn.about(label("buffer", i, d.Buffers[i].Name), nil, "%v", b.err)
		}
	}
	for i := range d.BufferViews {
		if d.broken("bufferViews[%d]", i) != nil {
			continue // has been said
		}
		if _, err := d.bufferView(i); err != nil {
			d.warn.addError(err)
		}
	}
	for i := range d.Accessors {
		if d.broken("accessors[%d]", i) != nil {
			continue
		}
		if _, err := d.accessor(i); err != nil {
			d.warn.addError(err)
		}
	}
}
