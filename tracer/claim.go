package tracer

// claim is device memory that is wanted: where it is kept, and how much, bytes. A list of claims is THE table of a set of
// buffers, from which both taking and giving back follow.
type claim struct {
	b    *buffer
	size int
}

// take allocates all claims or none. A claim to nothing stays empty.
func take(d device, claims []claim) error {
	for _, c := range claims {
		if c.size == 0 {
			continue
		}
		var err error
		if *c.b, err = d.alloc(c.size); err != nil {
			giveBack(d, claims)
			return err
		}
	}
	return nil
}

// giveBack frees what the claims hold, whatever its size.
func giveBack(d device, claims []claim) {
	for _, c := range claims {
		d.free(*c.b)
		*c.b = buffer{}
	}
}
