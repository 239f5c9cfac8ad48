package gpuscene

import (
	"math"
	"slices"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// tables are vertices, materials, textures, lights and environment in a device's memory: all that depends neither on BVHs nor on
// where instances stand.
type tables struct {
	buffers                                 []device.Buffer
	frame                                   cuda.Frame // the addresses; everything else is zero
	vertices, materials, lights, lightAlias device.Buffer
}

// upload copies them, with textures of up to longest pixels a side. After an error some may be there.
func (t *tables) upload(d device.Device, p *Prepared, longest int) error {
	textures, taken, err := p.textures.upload(d, longest)
	t.buffers = append(t.buffers, taken...)
	if err != nil {
		return err
	}
	f, e := &t.frame, &p.environment
	f.Scene.Environment.Constant = e.constant
	f.Scene.Environment.Width, f.Scene.Environment.Height = uint32(e.width), uint32(e.height)
	f.Scene.Environment.Light = p.lights.environment
	f.Scene.LightCount = uint32(len(p.lights.table))
	f.Guides.ObjectCount = uint32(len(p.drawn.Objects))
	buffers, err := device.UploadAll(d, []device.Rows{
		{Address: &f.Scene.Vertices, Data: device.BytesOf(p.geometry.vertices), Stays: p.Scene.Motion == nil},
		{Address: &f.Scene.Materials, Data: device.BytesOf(p.materials.rows)},
		{Address: &f.Scene.Textures, Data: device.BytesOf(textures)},
		{Address: &f.Guides.Objects, Data: device.BytesOf(p.drawn.Objects)},
		{Address: &f.Scene.Lights, Data: device.BytesOf(p.lights.table)},
		{Address: &f.Scene.LightAlias, Data: device.BytesOf(p.lights.alias)},
		{Address: &f.Scene.LightTree.Clusters, Data: device.BytesOf(p.lights.tree.clusters)},
		{Address: &f.Scene.LightTree.Alias, Data: device.BytesOf(p.lights.tree.alias)},
		{Address: &f.Scene.Environment.Texels, Data: device.BytesOf(e.texels), Stays: true},
		{Address: &f.Scene.Environment.Alias, Data: device.BytesOf(e.alias), Stays: true},
	})
	t.buffers = append(t.buffers, buffers...)
	if err == nil {
		t.vertices, t.materials, t.lights, t.lightAlias = buffers[0], buffers[1], buffers[4], buffers[5]
	}
	return err
}

// fill fills in what kernels read of the tables.
func (t *tables) fill(f *cuda.Frame, own *settings.Settings, tree *lightTree) {
	f.Scene, f.Guides = t.frame.Scene, t.frame.Guides
	f.Scene.LightScale = float32(own.LightScale)
	if own.LightChoice == "place" {
		f.Scene.LightTree.Share = tree.share
	}
	f.Scene.Environment.Strength = float32(own.EnvStrength)
	f.Scene.Environment.Rotation = float32(own.EnvRotation * math.Pi / 180)
}

// changeMaterials uploads those that clips change, with those between them in one piece.
func (t *tables) changeMaterials(d device.Device, p *Prepared, pose *scene.Pose) error {
	if len(pose.Materials) == 0 {
		return nil
	}
	of := p.Scene.Motion.Materials
	first, last := of[0], of[len(of)-1]
	rows := slices.Clone(p.materials.rows[first : last+1])
	for i, at := range of {
		rows[at-first] = p.materials.row(at, &pose.Materials[i])
	}
	return d.Upload(t.materials.From(first*device.SizeOf[cuda.Material]()), device.BytesOf(rows))
}

// shine moves lights without area. Where clips change how bright lights are, chances follow, and so do the lights that poses are made of.
func (t *tables) shine(d device.Device, p *Prepared, pose *scene.Pose, restLights device.Buffer) error {
	l := &p.lights
	punctual, powers := make([]cuda.Light, len(pose.Lights)), make([]float64, len(pose.Lights))
	for i := range punctual {
		punctual[i], powers[i] = punctualLight(&pose.Lights[i], l.radius)
	}
	if p.Scene.Motion.Relights() {
		table, alias := l.posed(pose, punctual, powers)
		return uploadParts(d, []part{
			{t.lights, device.BytesOf(table)}, {t.lightAlias, device.BytesOf(alias)}, {restLights, device.BytesOf(table)},
		})
	}
	if len(punctual) == 0 {
		return nil
	}
	for i := range punctual {
		punctual[i].Selection = l.table[l.firstPunctual+i].Selection // so are the chances, which need not be the best ones
	}
	return d.Upload(t.lights.From(l.firstPunctual*device.SizeOf[cuda.Light]()), device.BytesOf(punctual))
}

// part is new data for a buffer.
type part struct {
	to   device.Buffer
	data []byte
}

// uploadParts leaves out buffers that are not there.
func uploadParts(d device.Device, parts []part) error {
	for _, p := range parts {
		if p.to.Size == 0 {
			continue
		}
		if err := d.Upload(p.to, p.data); err != nil {
			return err
		}
	}
	return nil
}
