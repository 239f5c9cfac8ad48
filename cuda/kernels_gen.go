// Code generated from kernels/**/*.cuh by cuda/tools/gen; DO NOT EDIT.

package cuda

// The kernels, by file and place in it.
const (
	AlbedoTable Kernel = iota
	BuildLeaves
	FindMerges
	ScanMerges
	MergeClusters
	BuildKeys
	SortCount
	SortScan
	SortScatter
	WidenNodes
	EmitNodes
	PlaceTriangles
	TreeIndices
	TraceRaysClosest
	TraceRaysAny
	QueueRaysClosest
	QueueRaysAny
	AtrousFilter
	MeasureBias
	Balance
	Conv16
	Conv32
	FindEdges
	SmoothEdges
	FollowEdges
	AverageEdges
	AccumulateHalves
	EstimateError
	DenoiseInput
	AtrousDemodulate
	AtrousAccumulate
	AtrousErrors
	MeterSamples
	LearnedInput
	LearnedMix
	LearnedPass
	LearnedStabilize
	LearnedKeep
	KeepRecord
	TemporalStabilize
	BloomDown
	BloomUp
	MeterLight
	SetExposure
	Resolve
	ShowReuse
	DeformVertices
	DeformTriangles
	RefitNodes
	RefitWide
	TraceCameraRays
	CameraMedia
	Guides
	FollowGuides
	TracePaths
	RegeneratePaths
	ReplayPaths
	ReplayReuse
	JoinCandidates
	ChooseLights
	LightVis
	BoilingFilter
	ThinDuplicates
	InitialSamples
	ShadeSamples
	SpatialShade
	SpatialFind
	SpatialReuse
	TemporalFind
	TemporalReuse
	TemporalVisPrev
	TemporalVisCurr
	SpatialVis
	FinalVis
	UpscaleGather
	UpscaleSpatial
	UpscaleTemporal
	UpscaleFade
	BeginGiPaths
	RenewGiPaths
	ShadeGiPaths
	ShadowGiPaths
	EndGiPaths
	OrderCount
	OrderStarts
	OrderMove
	ScanCount
	ScanSums
	ScanMove
	BeginPaths
	RenewPaths
	ShadePaths
	ShadowPaths
	EndPaths
	ExtendPaths
	ExtendFirst
	KernelCount
)

var kernels = [KernelCount]kernelRow{
	AlbedoTable:       {name: "albedo_table", threads: 128, blocks: 1, category: CategoryTool},
	BuildLeaves:       {name: "build_leaves", threads: 128, blocks: 1, category: CategoryTool},
	FindMerges:        {name: "find_merges", threads: 256, blocks: 1, category: CategoryTool},
	ScanMerges:        {name: "scan_merges", threads: 256, blocks: 1, category: CategoryTool},
	MergeClusters:     {name: "merge_clusters", threads: 256, blocks: 1, category: CategoryTool},
	BuildKeys:         {name: "build_keys", threads: 128, blocks: 1, category: CategoryTool},
	SortCount:         {name: "sort_count", threads: 256, blocks: 1, category: CategoryTool},
	SortScan:          {name: "sort_scan", threads: 256, blocks: 1, category: CategoryTool},
	SortScatter:       {name: "sort_scatter", threads: 256, blocks: 1, category: CategoryTool},
	WidenNodes:        {name: "widen_nodes", threads: 128, blocks: 1, category: CategoryTool},
	EmitNodes:         {name: "emit_nodes", threads: 128, blocks: 1, category: CategoryTool},
	PlaceTriangles:    {name: "place_triangles", threads: 128, blocks: 1, category: CategoryTool},
	TreeIndices:       {name: "tree_indices", threads: 128, blocks: 1, category: CategoryTool},
	TraceRaysClosest:  {name: "trace_rays_closest", threads: 128, blocks: 10, category: CategoryTool},
	TraceRaysAny:      {name: "trace_rays_any", threads: 128, blocks: 1, category: CategoryTool},
	QueueRaysClosest:  {name: "queue_rays_closest", threads: 128, blocks: 7, category: CategoryTool, fetches: true, program: true},
	QueueRaysAny:      {name: "queue_rays_any", threads: 128, blocks: 7, category: CategoryTool, fetches: true, program: true},
	AtrousFilter:      {name: "atrous_filter", threads: 128, blocks: 1, category: CategoryDenoising},
	MeasureBias:       {name: "measure_bias", threads: 128, blocks: 1, category: CategoryDenoising},
	Balance:           {name: "balance", threads: 128, blocks: 1, category: CategoryDenoising},
	Conv16:            {name: "conv_16", threads: 128, blocks: 5, category: CategoryDenoising},
	Conv32:            {name: "conv_32", threads: 128, blocks: 4, category: CategoryDenoising},
	FindEdges:         {name: "find_edges", threads: 128, blocks: 8, category: CategoryDenoising},
	SmoothEdges:       {name: "smooth_edges", threads: 128, blocks: 5, category: CategoryDenoising},
	FollowEdges:       {name: "follow_edges", threads: 128, blocks: 4, category: CategoryDenoising, fetches: true},
	AverageEdges:      {name: "average_edges", threads: 128, blocks: 8, category: CategoryDenoising},
	AccumulateHalves:  {name: "accumulate_halves", threads: 128, blocks: 1, category: CategoryDenoising},
	EstimateError:     {name: "estimate_error", threads: 128, blocks: 1, category: CategoryDenoising},
	DenoiseInput:      {name: "denoise_input", threads: 128, blocks: 1, category: CategoryDenoising},
	AtrousDemodulate:  {name: "atrous_demodulate", threads: 128, blocks: 1, category: CategoryDenoising},
	AtrousAccumulate:  {name: "atrous_accumulate", threads: 128, blocks: 6, category: CategoryDenoising},
	AtrousErrors:      {name: "atrous_errors", threads: 128, blocks: 1, category: CategoryDenoising},
	MeterSamples:      {name: "meter_samples", threads: 256, blocks: 1, category: CategoryDenoising},
	LearnedInput:      {name: "learned_input", threads: 128, blocks: 1, category: CategoryDenoising},
	LearnedMix:        {name: "learned_mix", threads: 128, blocks: 1, category: CategoryDenoising},
	LearnedPass:       {name: "learned_pass", threads: 128, blocks: 1, category: CategoryDenoising},
	LearnedStabilize:  {name: "learned_stabilize", threads: 128, blocks: 8, category: CategoryDenoising},
	LearnedKeep:       {name: "learned_keep", threads: 128, blocks: 8, category: CategoryDenoising},
	KeepRecord:        {name: "keep_record", threads: 128, blocks: 1, category: CategoryDenoising},
	TemporalStabilize: {name: "temporal_stabilize", threads: 128, blocks: 8, category: CategoryDenoising},
	BloomDown:         {name: "bloom_down", threads: 128, blocks: 1, category: CategoryOutput},
	BloomUp:           {name: "bloom_up", threads: 128, blocks: 1, category: CategoryOutput},
	MeterLight:        {name: "meter_light", threads: 256, blocks: 1, category: CategoryOutput},
	SetExposure:       {name: "set_exposure", threads: 256, blocks: 1, category: CategoryOutput},
	Resolve:           {name: "resolve", threads: 128, blocks: 1, category: CategoryOutput},
	ShowReuse:         {name: "show_reuse", threads: 128, blocks: 1, category: CategoryOutput},
	DeformVertices:    {name: "deform_vertices", threads: 128, blocks: 1, category: CategoryTool},
	DeformTriangles:   {name: "deform_triangles", threads: 128, blocks: 1, category: CategoryTool},
	RefitNodes:        {name: "refit_nodes", threads: 128, blocks: 1, category: CategoryTool},
	RefitWide:         {name: "refit_wide", threads: 128, blocks: 1, category: CategoryTool},
	TraceCameraRays:   {name: "trace_camera_rays", threads: 32, blocks: 1, category: CategoryTool},
	CameraMedia:       {name: "camera_media", threads: 32, blocks: 1, category: CategoryGeneration},
	Guides:            {name: "guides", threads: 128, blocks: 5, category: CategoryDenoising},
	FollowGuides:      {name: "follow_guides", threads: 128, blocks: 4, category: CategoryDenoising, fetches: true},
	TracePaths:        {name: "trace_paths", threads: 128, blocks: 5, category: CategoryMegakernel},
	RegeneratePaths:   {name: "regenerate_paths", threads: 128, blocks: 5, category: CategoryMegakernel, fetches: true},
	ReplayPaths:       {name: "replay_paths", threads: 32, blocks: 1, category: CategoryTool},
	ReplayReuse:       {name: "replay_reuse", threads: 32, blocks: 1, category: CategoryTool},
	JoinCandidates:    {name: "join_candidates", threads: 128, blocks: 1, category: CategoryReuse},
	ChooseLights:      {name: "choose_lights", threads: 128, blocks: 4, category: CategoryReuse},
	LightVis:          {name: "light_vis", threads: 128, blocks: 7, category: CategoryReuse, fetches: true, program: true},
	BoilingFilter:     {name: "boiling_filter", threads: 256, blocks: 1, category: CategoryReuse},
	ThinDuplicates:    {name: "thin_duplicates", threads: 256, blocks: 1, category: CategoryReuse},
	InitialSamples:    {name: "initial_samples", threads: 128, blocks: 5, category: CategoryMegakernel},
	ShadeSamples:      {name: "shade_samples", threads: 128, blocks: 1, category: CategoryReuse},
	SpatialShade:      {name: "spatial_shade", threads: 128, blocks: 4, category: CategoryReuse},
	SpatialFind:       {name: "spatial_find", threads: 128, blocks: 1, category: CategoryReuse},
	SpatialReuse:      {name: "spatial_reuse", threads: 128, blocks: 1, category: CategoryReuse},
	TemporalFind:      {name: "temporal_find", threads: 128, blocks: 1, category: CategoryReuse},
	TemporalReuse:     {name: "temporal_reuse", threads: 128, blocks: 1, category: CategoryReuse},
	TemporalVisPrev:   {name: "temporal_vis_prev", threads: 128, blocks: 7, category: CategoryReuse, fetches: true, program: true},
	TemporalVisCurr:   {name: "temporal_vis_curr", threads: 128, blocks: 7, category: CategoryReuse, fetches: true, program: true},
	SpatialVis:        {name: "spatial_vis", threads: 128, blocks: 7, category: CategoryReuse, fetches: true, program: true},
	FinalVis:          {name: "final_vis", threads: 128, blocks: 7, category: CategoryReuse, fetches: true, program: true},
	UpscaleGather:     {name: "upscale_gather", threads: 128, blocks: 1, category: CategoryUpscaling},
	UpscaleSpatial:    {name: "upscale_spatial", threads: 128, blocks: 1, category: CategoryUpscaling},
	UpscaleTemporal:   {name: "upscale_temporal", threads: 128, blocks: 1, category: CategoryUpscaling},
	UpscaleFade:       {name: "upscale_fade", threads: 128, blocks: 1, category: CategoryUpscaling},
	BeginGiPaths:      {name: "begin_gi_paths", threads: 128, blocks: 1, category: CategoryGeneration},
	RenewGiPaths:      {name: "renew_gi_paths", threads: 128, blocks: 1, category: CategoryGeneration},
	ShadeGiPaths:      {name: "shade_gi_paths", threads: 128, blocks: 4, category: CategoryShading},
	ShadowGiPaths:     {name: "shadow_gi_paths", threads: 128, blocks: 7, category: CategoryShadow, fetches: true, program: true},
	EndGiPaths:        {name: "end_gi_paths", threads: 128, blocks: 1, category: CategoryGeneration},
	OrderCount:        {name: "order_count", threads: 128, blocks: 1, category: CategoryQueueing},
	OrderStarts:       {name: "order_starts", threads: 256, blocks: 1, category: CategoryQueueing},
	OrderMove:         {name: "order_move", threads: 128, blocks: 1, category: CategoryQueueing},
	ScanCount:         {name: "scan_count", threads: 256, blocks: 1, category: CategoryQueueing},
	ScanSums:          {name: "scan_sums", threads: 256, blocks: 1, category: CategoryQueueing},
	ScanMove:          {name: "scan_move", threads: 256, blocks: 1, category: CategoryQueueing},
	BeginPaths:        {name: "begin_paths", threads: 128, blocks: 1, category: CategoryGeneration},
	RenewPaths:        {name: "renew_paths", threads: 128, blocks: 1, category: CategoryGeneration},
	ShadePaths:        {name: "shade_paths", threads: 128, blocks: 5, category: CategoryShading},
	ShadowPaths:       {name: "shadow_paths", threads: 128, blocks: 7, category: CategoryShadow, fetches: true, program: true},
	EndPaths:          {name: "end_paths", threads: 128, blocks: 1, category: CategoryGeneration},
	ExtendPaths:       {name: "extend_paths", threads: 128, blocks: 7, category: CategoryExtension, fetches: true, program: true},
	ExtendFirst:       {name: "extend_first", threads: 128, blocks: 10, category: CategoryExtension},
}
