package optix

// What calls read. Those that only grew from version to version are in their longest form, which older versions read the beginning of.

type contextOptions struct {
	log, logData      uintptr
	level, validation int32
}

type moduleOptions struct {
	registers, optimization, debug int32
	_                              uint32
	bound                          uintptr
	bounds, payloadTypes           uint32
	payloads, base                 uintptr
}

// pipelineOptions ends in what versions lay out differently: see newPipelineOptions.
type pipelineOptions struct {
	motionBlur int32
	graph      uint32
	payload    int32
	attributes int32
	exceptions uint32
	_          uint32
	params     *byte
	rest       [6]uint32
}

type linkOptions struct {
	traceDepth, continuation, fromState, fromTraversal, graphDepth uint32
}

// groupDescription is a ray generation or miss program, or a closest hit program with an any hit program.
type groupDescription struct {
	kind             int32
	flags            uint32
	module           uintptr
	name             *byte
	anyHit           uintptr
	anyHitName       *byte
	intersection     uintptr
	intersectionName *byte
}

type groupOptions struct{ payloadType uintptr }

type stackSizes struct {
	raygen, miss, closestHit, anyHit, intersection, continuation, callable uint32
}

type bindingTable struct {
	raygen, exception, miss uint64
	missStride, missCount   uint32
	hit                     uint64
	hitStride, hitCount     uint32
	callables               uint64
	callStride, callCount   uint32
}

type triangleInput struct {
	kind                         int32
	_                            uint32
	vertices                     *uint64
	count, format, stride        uint32
	_                            uint32
	indices                      uint64
	triplets, indexFormat        uint32
	indexStride                  uint32
	_                            uint32
	matrix                       uint64
	flags                        *uint32
	records                      uint32
	_                            uint32
	recordOf                     uint64
	recordSize, recordStride     uint32
	firstPrimitive, matrixFormat uint32
	_                            [1024 - 96]byte
}

type instanceInput struct {
	kind          int32
	_             uint32
	at            uint64
	count, stride uint32
	_             [1024 - 16]byte
}

// Instance is a tree that stands somewhere, as the builder reads it.
type Instance struct {
	ToWorld [3][4]float32
	ID      uint32
	_       uint32 // first record
	Mask    uint32
	_       uint32 // flags
	Tree    uint64
	_       uint64
}

type buildOptions struct {
	flags      uint32
	operation  int32
	keys       uint16
	motion     uint16
	begin, end float32
}

// Sizes are what a tree takes while it is built, bytes.
type Sizes struct{ Output, Temporary, Update uint64 }

type emitted struct {
	result uint64
	kind   int32
	_      uint32
}

// The numbers of enumerations.
const (
	trianglesInput = 0x2141
	instancesInput = 0x2143
	float3Format   = 0x2121
	uint3Format    = 0x2103
	noAnyHit       = 1
	mayCompact     = 2
	fastTrace      = 4
	fastBuild      = 8
	operationBuild = 0x2161
	compactedSize  = 0x2181
	raygenGroup    = 0x2421
	missGroup      = 0x2422
	hitGroup       = 0x2424
	anyOneOrTwo    = 3 // levels of trees
	onlyTriangles  = 1 << 31
	rtCoreVersion  = 0x2005
	headerSize     = 32
	triangleWords  = 2
	payloadWords   = 5 // of cuda/kernels/hardware/optix.cuh
)

// newPipelineOptions lays out the end as a version does.
func (a *abi) newPipelineOptions(params *byte, size uint64) *pipelineOptions {
	o := &pipelineOptions{graph: anyOneOrTwo, payload: payloadWords, attributes: triangleWords, params: params}
	rest := o.rest[:]
	if a.sizedParams {
		rest[0], rest[1] = uint32(size), uint32(size>>32)
		rest = rest[2:]
	}
	rest[0] = onlyTriangles
	return o
}
