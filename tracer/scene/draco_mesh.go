package scene

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
	"glint/tracer/scene/draco"
)

const dracoName = "KHR_draco_mesh_compression"

// dracoMesh is what the extension says of a primitive: where its data is, and the attributes' numbers there.
type dracoMesh struct {
	BufferView *int
	Attributes map[string]int64
}

// dracoMemory is what all children that decode at a time may take together, bytes.
const dracoMemory = 4 << 30

// dracoTask is a primitive to be decoded.
type dracoTask struct {
	mesh, primitive int
	request         draco.Request
	indices         int   // accessors of the answer's parts
	attributes      []int // in the order of the request
}

// decompressMeshes decodes the primitives of these meshes that Draco compressed. Their accessors have no buffer views: each
// primitive gets accessors of its own, which hold what was decoded.
func (d *document) decompressMeshes(meshes []int) error {
	if !draco.Available {
		return nil
	}
	var tasks []*dracoTask
	for _, mesh := range meshes {
		for p, primitive := range d.Meshes[mesh].Primitives {
			if primitive.Extensions[dracoName] == nil || !drawable(primitive.Mode) {
				continue
			}
			task, err := d.planDraco(primitive)
			if err != nil {
				if err := d.undecoded(mesh, p, err); err != nil {
					return err
				}
				continue
			}
			task.mesh, task.primitive = mesh, p
			tasks = append(tasks, task)
		}
	}
	if len(tasks) == 0 {
		return nil
	}
	d.progress("decompressing", 0.15)
	return d.decodeDraco(tasks)
}

// undecoded has a primitive be left out.
func (d *document) undecoded(mesh, primitive int, err error) error {
	err = fmt.Errorf("decode its Draco data: %w", err)
	var room *guard.MemoryError
	if d.ctx.Err() != nil || errors.As(err, &room) {
		return fmt.Errorf("%s: %w", d.partLabel(mesh, primitive), err)
	}
	d.unusable[fmt.Sprintf("meshes[%d].primitives[%d]", mesh, primitive)] = err
	return nil
}

// dracoPatience is how long primitives that cannot be decoded may take together, or a file of many would take hours.
const dracoPatience = time.Minute

// dracoChildren is how many decode at a time: as many as there are cores, up to four, and as have memory enough for the largest.
func dracoChildren(tasks []*dracoTask) int {
	const most, decoderShare = 4, 8 // the decoder takes five times as much as the answer (measured)
	largest := int64(1)
	for _, t := range tasks {
		largest = max(largest, t.request.Bytes())
	}
	return max(1, min(runtime.GOMAXPROCS(0), most, len(tasks), int(dracoMemory/(decoderShare*largest))))
}

func (d *document) decodeDraco(tasks []*dracoTask) error {
	n := dracoChildren(tasks)
	decoders := make(chan *draco.Decoder, n)
	for range n {
		decoders <- draco.NewDecoder(dracoMemory / int64(n))
	}
	defer func() {
		for range n {
			(<-decoders).Close()
		}
	}()
	meshes, broken := make([]draco.Mesh, len(tasks)), make([]error, len(tasks))
	var lost atomic.Int64 // nanoseconds
	err := guard.Each(d.ctx, len(tasks), func(i int) (err error) {
		decoder := <-decoders
		defer func() { decoders <- decoder }()
		if time.Duration(lost.Load()) > dracoPatience {
			broken[i] = errors.New("others could not be decoded, which took too long")
			return nil
		}
		begun := time.Now()
		if meshes[i], broken[i] = decoder.Decode(d.ctx, tasks[i].request); broken[i] != nil {
			lost.Add(int64(time.Since(begun)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, task := range tasks {
		if broken[i] != nil {
			if err := d.undecoded(task.mesh, task.primitive, broken[i]); err != nil {
				return err
			}
			continue
		}
		d.dracoData[task.indices] = meshes[i].Indices
		for k, accessor := range task.attributes {
			d.dracoData[accessor] = meshes[i].Attributes[k]
		}
	}
	return nil
}

// planDraco takes the memory of a primitive's decoded mesh, and gives it accessors of its own.
func (d *document) planDraco(p *gltf.Primitive) (*dracoTask, error) {
	var c dracoMesh
	if err := decodeExtension(p.Extensions, dracoName, &c); err != nil {
		return nil, err
	}
	position, ok := p.Attributes[gltf.POSITION]
	switch {
	case c.BufferView == nil || *c.BufferView < 0 || *c.BufferView >= len(d.BufferViews):
		return nil, fmt.Errorf("has no buffer view that exists: the file has %d", len(d.BufferViews))
	case !ok:
		return nil, errNoPosition
	case p.Indices == nil:
		return nil, fmt.Errorf("has no indices")
	case p.Mode != gltf.PrimitiveTriangles:
		return nil, fmt.Errorf("is no list of triangles: decompress the file")
	}
	data, err := d.bufferView(*c.BufferView)
	if err != nil {
		return nil, err
	}
	indices := d.Accessors[*p.Indices]
	task := &dracoTask{request: draco.Request{Data: data, Vertices: d.Accessors[position].Count, Triangles: indices.Count / 3}}
	for _, name := range slices.Sorted(maps.Keys(c.Attributes)) {
		at, used := p.Attributes[name]
		if !used {
			continue
		}
		a := d.Accessors[at]
		id := c.Attributes[name]
		if id < 0 || id > 1<<32-1 {
			return nil, fmt.Errorf("%s: number %d does not exist", guard.Name(name), id)
		}
		if a.Count != task.request.Vertices {
			return nil, fmt.Errorf("%s: accessor %d has %d elements, POSITION has %d", guard.Name(name), at, a.Count, task.request.Vertices)
		}
		task.request.Attributes = append(task.request.Attributes, draco.Attribute{
			ID: uint32(id), Component: dracoComponents[a.ComponentType], Components: a.Type.Components(),
		})
		task.attributes = append(task.attributes, d.ownAccessor(a, a.ComponentType))
		p.Attributes[name] = task.attributes[len(task.attributes)-1]
	}
	if err := task.request.Check(); err != nil {
		return nil, err
	}
	if 3*task.request.Triangles != indices.Count {
		return nil, fmt.Errorf("has %d indices, which make no whole triangles", indices.Count)
	}
	task.indices = d.ownAccessor(indices, gltf.ComponentUint)
	p.Indices = &task.indices
	return task, d.scratch.Take("the decompressed mesh", task.request.Bytes())
}

var dracoComponents = map[gltf.ComponentType]draco.Component{
	gltf.ComponentByte: draco.Int8, gltf.ComponentUbyte: draco.Uint8, gltf.ComponentShort: draco.Int16,
	gltf.ComponentUshort: draco.Uint16, gltf.ComponentUint: draco.Uint32, gltf.ComponentFloat: draco.Float32,
}

// ownAccessor is a copy of an accessor for decoded elements of a type, by its index.
func (d *document) ownAccessor(src *gltf.Accessor, kind gltf.ComponentType) int {
	d.Accessors = append(d.Accessors, &gltf.Accessor{
		Name: src.Name, ComponentType: kind, Normalized: src.Normalized, Count: src.Count, Type: src.Type,
	})
	return len(d.Accessors) - 1
}

var errNoPosition = errors.New("has no POSITION attribute")
