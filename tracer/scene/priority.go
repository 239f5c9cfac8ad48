package scene

import "math"

// mostPriority bounds priorities to both sides.
const mostPriority = 100

// readPriority reads the number "priority" of a material's extras. glTF has no such property; extras are anyone's, so what is no
// number there was meant for somebody else.
func readPriority(extras any) int {
	fields, _ := extras.(map[string]any)
	priority, _ := fields["priority"].(float64)
	return int(max(-mostPriority, min(mostPriority, math.Round(priority))))
}

// Extras are what a file must say of a material outside of its extensions; nil for nothing.
func (m *Material) Extras() any {
	if m.Priority == 0 {
		return nil
	}
	return map[string]any{"priority": m.Priority}
}
