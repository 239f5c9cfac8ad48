package scene

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// extensionRow is what glint does with one glTF extension. A file that requires an Ignored one is refused.
type extensionRow struct {
	name    string
	support Support
	note    string
	mend    string // what a user whose file requires it can do, when leaving it out does not help
}

// decodeExtension reads an extension that the glTF package leaves raw into v, which stays as it is when the object has none.
func decodeExtension(ext gltf.Extensions, name string, v any) error {
	raw, ok := ext[name].(json.RawMessage)
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return jsonError("extension "+name, err)
	}
	return nil
}

// lookJSON is what a path of names leads to in an object; nil for nothing.
func lookJSON(at json.RawMessage, path string) (json.RawMessage, error) {
	for at != nil && path != "" {
		name, rest, _ := strings.Cut(path, "/")
		var fields map[string]json.RawMessage
		if json.Unmarshal(at, &fields) != nil {
			return nil, fmt.Errorf("%s is no object", name)
		}
		at, path = fields[name], rest
	}
	return at, nil
}

// jsonError keeps errors readable that quote a number of megabytes.
func jsonError(what string, err error) error {
	return fmt.Errorf("%s: %s", what, guard.Name(err.Error()))
}
