package scene

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// changingMaterials are those that clips or edits change.
type changingMaterials struct {
	files   []int                   // their indices in the file
	slots   []int                   // and in the scene
	sources map[int]*materialSource // by their index in the file
	bounds  map[int]materialBounds  // by their index in the scene
}

// add adds a material that clips or edits change, and what may become of it.
func (m *changingMaterials) add(j *job, at, slot int, src *gltf.Material, s materialSource, by *changes) error {
	if err := j.memory.Take("materials that move", 3*materialBytes); err != nil { // the start, and twice a pose
		return err
	}
	most := materialBounds{glows: by.glows[at]}
	for i := range materialExtensions {
		if row := &materialExtensions[i]; slices.Contains(by.adds[at], row) {
			most.needs |= row.feature
			if row.begin != nil {
				row.begin(&s)
			}
		}
	}
	m.sources[at] = &s
	m.files, m.slots = append(m.files, at), append(m.slots, slot)
	bright := s
	for i := range by.clips {
		for _, c := range by.clips[i].channels {
			if c.property.of != &animatedMaterial || c.at != at {
				continue
			}
			for _, row := range materialExtensions {
				if strings.HasPrefix(c.property.path, "extensions/"+row.name+"/") {
					most.needs |= row.feature
				}
			}
			before := bright
			c.property.set(&moment{materials: map[int]*materialSource{at: &bright}}, at, c.track.most())
			bright.emissiveStrength = max(bright.emissiveStrength, before.emissiveStrength)
			for k := range bright.Emission {
				bright.Emission[k] = max(bright.Emission[k], before.Emission[k])
			}
		}
	}
	most.emission = bright.material().Emission
	for _, row := range materialExtensions {
		if _, there := src.Extensions[row.name]; there {
			most.needs |= row.feature
		}
	}
	if s.opensVolume {
		most.needs |= transmissionFeature
	}
	m.bounds[slot] = most
	return nil
}

// readTransforms finds what the transforms of a material's textures were made of.
func (s *materialSource) readTransforms(src *gltf.Material) error {
	if !slices.ContainsFunc(s.Textures[:], func(t TextureRef) bool { return t.Texture >= 0 }) {
		return nil
	}
	text, err := json.Marshal(src)
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte(texturetransform.ExtensionName)) {
		return nil
	}
	for use, slots := range textureSlots {
		for _, slot := range slots {
			said, err := lookJSON(text, slot+"/extensions/"+texturetransform.ExtensionName)
			if said != nil {
				s.transforms[use] = new(texturetransform.TextureTranform)
				err = json.Unmarshal(said, s.transforms[use])
			}
			if err != nil {
				return fmt.Errorf("%s: %w", slot, err)
			}
		}
	}
	return nil
}
