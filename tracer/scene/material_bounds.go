package scene

import (
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// bounds are what a material comes to in any pose.
type bounds struct {
	needs    Feature
	emission mgl32.Vec3 // nits
}

// boundsOf are those of a material; none where no clip changes it.
func (m *Motion) boundsOf(material uint32) bounds {
	if m == nil {
		return bounds{}
	}
	return m.bounds[int(material)]
}

// add adds a material that clips change, and what may become of it.
func (m *changingMaterials) add(j *job, at, slot int, src *gltf.Material, s materialSource, by *changes) error {
	if err := j.memory.Take("materials that move", 3*materialBytes); err != nil { // the start, and twice a pose
		return err
	}
	if err := s.readTransforms(src); err != nil {
		return err
	}
	m.sources[at] = &s
	m.files, m.slots = append(m.files, at), append(m.slots, slot)
	most, bright := bounds{}, s
	for i := range by.clips {
		for _, c := range by.clips[i].channels {
			if c.property.of != &animatedMaterial || c.at != at {
				continue
			}
			most.needs |= c.property.feature()
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

// feature is what kernels may need because a property changes.
func (p *property) feature() Feature {
	for _, row := range materialExtensions {
		if strings.HasPrefix(p.path, "extensions/"+row.name+"/") {
			return row.feature
		}
	}
	return 0
}

// most is no less than any value of a track, number by number.
func (t *track) most() []float64 {
	out := make([]float64, t.width)
	for i := range out {
		out[i] = math.Inf(-1)
		for k := range t.times {
			v := float64(t.key(k, value)[i])
			if t.how == gltf.InterpolationCubicSpline && k+1 < len(t.times) {
				// Each slope adds at most 4/27 of it.
				span := float64(t.times[k+1]) - float64(t.times[k])
				slopes := math.Abs(float64(t.key(k, outTangent)[i])) + math.Abs(float64(t.key(k+1, inTangent)[i]))
				v = max(v, float64(t.key(k+1, value)[i])) + span*slopes*4/27
			}
			out[i] = max(out[i], v)
		}
	}
	return out
}
