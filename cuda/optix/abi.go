package optix

// An entry is one function of OptiX.
type entry int

// The entries, in the order of the columns of abis.
const (
	errorName entry = iota
	errorString
	contextCreate
	contextDestroy
	contextGetProperty
	moduleCreate
	moduleDestroy
	groupCreate
	groupDestroy
	groupStackSize
	pipelineCreate
	pipelineDestroy
	pipelineSetStackSize
	treeMemory
	treeBuild
	treeCompact
	packHeader
	launch
	entries
)

var entryNames = [entries]string{
	"optixGetErrorName", "optixGetErrorString", "optixDeviceContextCreate", "optixDeviceContextDestroy", "optixDeviceContextGetProperty",
	"optixModuleCreate", "optixModuleDestroy", "optixProgramGroupCreate", "optixProgramGroupDestroy", "optixProgramGroupGetStackSize",
	"optixPipelineCreate", "optixPipelineDestroy", "optixPipelineSetStackSize", "optixAccelComputeMemoryUsage", "optixAccelBuild",
	"optixAccelCompact", "optixSbtRecordPackHeader", "optixLaunch",
}

// abi is one version of the interface: where the library's table has each function. It is all that versions differ in.
type abi struct {
	number      int
	version     string // of OptiX
	functions   int    // in the table
	sizedParams bool   // pipeline options name the size of the launch parameters
	at          [entries]int
}

// abis are the versions that are known, newest first: a driver knows its own and those before.
var abis = []abi{
	{118, "9.1", 58, true, [entries]int{0, 1, 2, 3, 4, 12, 18, 24, 25, 26, 27, 28, 30, 32, 33, 37, 46, 47}},
	{105, "9.0", 52, false, [entries]int{0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 40, 41}},
	{93, "8.1", 50, false, [entries]int{0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 38, 39}},
	{87, "8.0", 48, false, [entries]int{0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 38, 39}},
	{84, "7.7", 48, false, [entries]int{0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 38, 39}},
}
