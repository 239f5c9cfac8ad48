package viewer

import "glint/tracer/guard"

// takeVariant shows the scene in another variant of its materials; the empty one is its default.
func (a *app) takeVariant(name string) {
	if a.shown != nil && a.shown.path != "" && a.shown.variant != name {
		a.readAgain(name)
	}
}

// drawVariants is the list of the file's variants of materials.
func (h *hud) drawVariants(m *model) {
	const byDefault = "default"
	choices := []choice{{name: byDefault}}
	current := byDefault
	for _, name := range m.scene.variants {
		shown := guard.Name(name)
		choices = append(choices, choice{name: shown, value: name})
		if name == m.scene.variant {
			current = shown
		}
	}
	h.list("##variant", current, choices, func(c choice) Command { return TakeVariant{c.value} })
}
