package scene

import "errors"

// Options bound what Load may do.
type Options struct {
	Scene    int                                  // index of the glTF scene, -1 for the file's default
	Progress func(stage string, fraction float64) // may be nil; called from the loading goroutine
}

// Load reads a .glb or .gltf file with its buffers and images.
func Load(path string, opts Options) (*Scene, error) { return nil, errors.New("load: not built yet") }
