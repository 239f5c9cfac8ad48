package scene

import (
	"encoding/json"
	"fmt"

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

// TextureInfo is how the file that is being written refers to a texture; nil for none.
type TextureInfo func(TextureRef) *gltf.TextureInfo

// putTexture adds a texture to the properties of an extension when there is one.
func putTexture(properties map[string]any, name string, info *gltf.TextureInfo) {
	if info != nil {
		properties[name] = info
	}
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

// jsonError keeps errors readable that quote a number of megabytes.
func jsonError(what string, err error) error {
	return fmt.Errorf("%s: %s", what, guard.Name(err.Error()))
}
