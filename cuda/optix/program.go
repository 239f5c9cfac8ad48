package optix

import (
	"errors"
	"fmt"
	"unsafe"
)

// Module is compiled programs.
type Module struct {
	context *Context
	handle  uintptr
	options *pipelineOptions
	size    uint64 // of the launch parameters
}

const logRoom = 4096

// compilerLog takes what the compiler says.
type compilerLog struct {
	text [logRoom]byte
	size uint64
}

// in adds what the compiler says to an error.
func (l *compilerLog) in(err error) error {
	var e *Error
	if errors.As(err, &e) {
		for i, c := range l.text {
			if c == 0 {
				e.Log = string(l.text[:i])
				break
			}
		}
	}
	return err
}

// NewModule compiles PTX, whose launch parameters are the constant of that name and size. It may run on any thread.
func (c *Context) NewModule(ptx []byte, params string, size uint64) (*Module, error) {
	m := &Module{context: c, options: c.lib.abi.newPipelineOptions(cString(params), size), size: size}
	text, log := cString(string(ptx)), &compilerLog{size: logRoom}
	err := c.lib.call(moduleCreate, c.handle, uintptr(unsafe.Pointer(&moduleOptions{})), uintptr(unsafe.Pointer(m.options)),
		uintptr(unsafe.Pointer(text)), uintptr(len(ptx)), uintptr(unsafe.Pointer(&log.text)), uintptr(unsafe.Pointer(&log.size)),
		uintptr(unsafe.Pointer(&m.handle)))
	if err = answered(err, moduleCreate, &m.handle); err != nil {
		return nil, fmt.Errorf("compile programs for hardware that traces rays: %w", log.in(err))
	}
	return m, nil
}

// Close gives the module back; pipelines of it are closed before.
func (m *Module) Close() error { return m.context.lib.call(moduleDestroy, m.handle) }

// What a pipeline is linked of, in the order of its records.
const (
	ofRaygen = iota
	ofMiss
	ofSurface    // HIT_SURFACE of cuda/kernels/hardware/optix.cuh
	ofCandidates // HIT_CANDIDATES
	groups
)

// Pipeline is a ray generation program, with the programs for what its rays hit and for those that miss. One launch of it runs at a time.
type Pipeline struct {
	module *Module
	handle uintptr
	groups [groups]uintptr
}

// NewPipeline links a ray generation program with the module's miss program nothing, and for hits surface with any hit program
// coverage, or any hit program candidates.
func (m *Module) NewPipeline(raygen string) (*Pipeline, error) {
	p := &Pipeline{module: m}
	err := p.link(raygen)
	if err == nil {
		err = p.setStack()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("link program %s: %w", raygen, err), p.Close())
	}
	return p, nil
}

func (p *Pipeline) link(raygen string) error {
	m := p.module
	for i, d := range [groups]groupDescription{
		ofRaygen:     {kind: raygenGroup, module: m.handle, name: cString("__raygen__" + raygen)},
		ofMiss:       {kind: missGroup, module: m.handle, name: cString("__miss__nothing")},
		ofSurface:    {kind: hitGroup, module: m.handle, name: cString("__closesthit__surface"), anyHit: m.handle, anyHitName: cString("__anyhit__coverage")},
		ofCandidates: {kind: hitGroup, anyHit: m.handle, anyHitName: cString("__anyhit__candidates")},
	} {
		log, group := &compilerLog{size: logRoom}, &d
		err := m.context.lib.call(groupCreate, m.context.handle, uintptr(unsafe.Pointer(group)), 1, uintptr(unsafe.Pointer(&groupOptions{})),
			uintptr(unsafe.Pointer(&log.text)), uintptr(unsafe.Pointer(&log.size)), uintptr(unsafe.Pointer(&p.groups[i])))
		if err = answered(err, groupCreate, &p.groups[i]); err != nil {
			return log.in(err)
		}
	}
	log := &compilerLog{size: logRoom}
	err := m.context.lib.call(pipelineCreate, m.context.handle, uintptr(unsafe.Pointer(m.options)),
		uintptr(unsafe.Pointer(&linkOptions{traceDepth: 1, graphDepth: 2})), uintptr(unsafe.Pointer(&p.groups)), uintptr(len(p.groups)),
		uintptr(unsafe.Pointer(&log.text)), uintptr(unsafe.Pointer(&log.size)), uintptr(unsafe.Pointer(&p.handle)))
	return log.in(answered(err, pipelineCreate, &p.handle))
}

// setStack takes as much stack as rays need that start no others.
func (p *Pipeline) setStack() error {
	var most stackSizes
	lib := p.module.context.lib
	for _, g := range p.groups {
		s := &stackSizes{}
		if err := lib.call(groupStackSize, g, uintptr(unsafe.Pointer(s)), p.handle); err != nil {
			return err
		}
		most.raygen, most.miss = max(most.raygen, s.raygen), max(most.miss, s.miss)
		most.closestHit, most.anyHit, most.intersection = max(most.closestHit, s.closestHit), max(most.anyHit, s.anyHit), max(most.intersection, s.intersection)
	}
	const levels = 2 // instances, and what they are of
	stack := most.raygen + max(most.closestHit, most.miss, most.intersection+most.anyHit)
	return lib.call(pipelineSetStackSize, p.handle, 0, 0, uintptr(stack), levels)
}

// Close gives the pipeline back.
func (p *Pipeline) Close() error {
	var errs []error
	lib := p.module.context.lib
	if p.handle != 0 {
		errs = append(errs, lib.call(pipelineDestroy, p.handle))
	}
	for _, g := range p.groups {
		if g != 0 {
			errs = append(errs, lib.call(groupDestroy, g))
		}
	}
	return errors.Join(errs...)
}

// RecordSize is that of a record, bytes: a header and a value.
const RecordSize = 48

// Records are what a launch finds programs by, to be copied to the device: one with each value from 0 on for the ray generation program,
// which takes it as its argument, and one for each of the others.
func (p *Pipeline) Records(values int) ([]byte, error) {
	records := make([]byte, (values+groups-1)*RecordSize)
	for i := range values + groups - 1 {
		group := p.groups[max(ofRaygen, i-values+1)]
		header := records[i*RecordSize:]
		if err := p.module.context.lib.call(packHeader, group, uintptr(unsafe.Pointer(&header[0]))); err != nil {
			return nil, err
		}
		*(*uint32)(unsafe.Pointer(&header[headerSize])) = uint32(i)
	}
	return records, nil
}

// Launch queues so many rays on a stream, with launch parameters that lie on the device and with one of the values of Records, which lie at
// an address of the device. No rays at all are refused.
func (p *Pipeline) Launch(stream uintptr, params, records uint64, values int, value uint32, rays int) error {
	others := records + uint64(values)*RecordSize
	t := &bindingTable{raygen: records + uint64(value)*RecordSize, miss: others, missStride: RecordSize, missCount: 1,
		hit: others + RecordSize, hitStride: RecordSize, hitCount: groups - ofSurface}
	return p.module.context.lib.call(launch, p.handle, stream, uintptr(params), uintptr(p.module.size), uintptr(unsafe.Pointer(t)),
		uintptr(rays), 1, 1)
}
