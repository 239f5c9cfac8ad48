// Code generated from kernels/params/*.h by cuda/tools/gen; DO NOT EDIT.
// LAYOUT(S, F): S(struct) for each struct, F(struct, field) for each of its fields.
#pragma once

#define LAYOUT(S, F) \
  S(BvhNode) \
  F(BvhNode, x) \
  F(BvhNode, y) \
  F(BvhNode, z) \
  F(BvhNode, child) \
  F(BvhNode, pad) \
  S(WideNode) \
  F(WideNode, origin) \
  F(WideNode, grid) \
  F(WideNode, childBase) \
  F(WideNode, triangleBase) \
  F(WideNode, leaves) \
  F(WideNode, pad) \
  F(WideNode, loX) \
  F(WideNode, hiX) \
  F(WideNode, loY) \
  F(WideNode, hiY) \
  F(WideNode, loZ) \
  F(WideNode, hiZ) \
  S(SpreadNode) \
  F(SpreadNode, loX) \
  F(SpreadNode, hiX) \
  F(SpreadNode, loY) \
  F(SpreadNode, hiY) \
  F(SpreadNode, loZ) \
  F(SpreadNode, hiZ) \
  F(SpreadNode, child) \
  S(Triangle) \
  F(Triangle, v0) \
  F(Triangle, face) \
  F(Triangle, e1) \
  F(Triangle, material) \
  F(Triangle, e2) \
  F(Triangle, light) \
  S(Instance) \
  F(Instance, toMesh) \
  F(Instance, toWorld) \
  F(Instance, nodes) \
  F(Instance, wideNodes) \
  F(Instance, spreadNodes) \
  F(Instance, triangles) \
  F(Instance, first) \
  F(Instance, turned) \
  F(Instance, pad) \
  S(Ray) \
  F(Ray, origin) \
  F(Ray, tMax) \
  F(Ray, direction) \
  F(Ray, pad) \
  S(Hit) \
  F(Hit, t) \
  F(Hit, u) \
  F(Hit, v) \
  F(Hit, triangle) \
  S(BuildNode) \
  F(BuildNode, lo) \
  F(BuildNode, left) \
  F(BuildNode, hi) \
  F(BuildNode, right) \
  S(BuildForest) \
  F(BuildForest, cost) \
  F(BuildForest, left) \
  S(TreeBuild) \
  F(TreeBuild, lo) \
  F(TreeBuild, faces) \
  F(TreeBuild, scale) \
  F(TreeBuild, wideRoom) \
  F(TreeBuild, source) \
  F(TreeBuild, keys) \
  F(TreeBuild, values) \
  F(TreeBuild, counts) \
  F(TreeBuild, nodes) \
  F(TreeBuild, forests) \
  F(TreeBuild, clusters) \
  F(TreeBuild, links) \
  F(TreeBuild, state) \
  S(RayParams) \
  F(RayParams, rays) \
  F(RayParams, hits) \
  F(RayParams, count) \
  F(RayParams, pad0) \
  F(RayParams, pad1) \
  F(RayParams, pad2) \
  S(BuildParams) \
  F(BuildParams, tree) \
  F(BuildParams, posed) \
  S(VirtualHit) \
  F(VirtualHit, position) \
  F(VirtualHit, normal) \
  S(Irradiance) \
  F(Irradiance, redGreen) \
  F(Irradiance, blueError) \
  F(Irradiance, normalScale) \
  F(Irradiance, depth) \
  S(DenoiseParams) \
  F(DenoiseParams, inputs) \
  F(DenoiseParams, denoised) \
  F(DenoiseParams, irradiance) \
  F(DenoiseParams, virtualHits) \
  F(DenoiseParams, pastVirtualHits) \
  F(DenoiseParams, stabilized) \
  F(DenoiseParams, pastStabilized) \
  F(DenoiseParams, light) \
  F(DenoiseParams, pastLight) \
  F(DenoiseParams, lightSamples) \
  F(DenoiseParams, pastLightSamples) \
  F(DenoiseParams, record) \
  F(DenoiseParams, pad1) \
  F(DenoiseParams, imageSamples) \
  F(DenoiseParams, historyCap) \
  F(DenoiseParams, edgeRays) \
  F(DenoiseParams, sceneMoved) \
  F(DenoiseParams, momentImages) \
  F(DenoiseParams, pad0) \
  S(LearnedTap) \
  F(LearnedTap, halves) \
  S(LearnedParams) \
  F(LearnedParams, input) \
  F(LearnedParams, output) \
  F(LearnedParams, heads) \
  F(LearnedParams, taps) \
  F(LearnedParams, past) \
  F(LearnedParams, scales) \
  F(LearnedParams, filtered) \
  F(LearnedParams, pastFiltered) \
  F(LearnedParams, pitch) \
  F(LearnedParams, shared) \
  F(LearnedParams, exposure) \
  F(LearnedParams, samples) \
  S(ErrorMapParams) \
  F(ErrorMapParams, halves) \
  F(ErrorMapParams, halfImages) \
  F(ErrorMapParams, errors) \
  F(ErrorMapParams, pad0) \
  S(Meter) \
  F(Meter, ev) \
  F(Meter, target) \
  F(Meter, metered) \
  F(Meter, pad) \
  S(DisplayParams) \
  F(DisplayParams, target) \
  F(DisplayParams, bloomed) \
  F(DisplayParams, meter) \
  F(DisplayParams, histogram) \
  F(DisplayParams, balanceRed) \
  F(DisplayParams, bloom) \
  F(DisplayParams, balanceGreen) \
  F(DisplayParams, bloomLevels) \
  F(DisplayParams, balanceBlue) \
  F(DisplayParams, flags) \
  F(DisplayParams, shown) \
  F(DisplayParams, toneMap) \
  F(DisplayParams, exposure) \
  F(DisplayParams, adaptDarker) \
  F(DisplayParams, adaptBrighter) \
  F(DisplayParams, background) \
  F(DisplayParams, backdrop) \
  F(DisplayParams, pad0) \
  S(Blocks) \
  F(Blocks, sum) \
  F(Blocks, squares) \
  S(FilmParams) \
  F(FilmParams, accumulation) \
  F(FilmParams, preview) \
  F(FilmParams, previewAovs) \
  F(FilmParams, aovs) \
  F(FilmParams, counters) \
  F(FilmParams, momentsImage) \
  F(FilmParams, movement) \
  F(FilmParams, blocks) \
  F(FilmParams, momentsSince) \
  F(FilmParams, width) \
  F(FilmParams, height) \
  F(FilmParams, previewWidth) \
  F(FilmParams, previewHeight) \
  F(FilmParams, tiledPixels) \
  F(FilmParams, aovPlanes) \
  F(FilmParams, sampleWeight) \
  F(FilmParams, previewMeans) \
  F(FilmParams, clamp) \
  F(FilmParams, pad0) \
  F(FilmParams, pad1) \
  S(FirstHitParams) \
  F(FirstHitParams, hits) \
  F(FirstHitParams, sample) \
  F(FirstHitParams, seed) \
  S(GuideParams) \
  F(GuideParams, objects) \
  F(GuideParams, objectCount) \
  F(GuideParams, pad0) \
  S(Camera) \
  F(Camera, eye) \
  F(Camera, apertureRadius) \
  F(Camera, right) \
  F(Camera, focusDistance) \
  F(Camera, up) \
  F(Camera, tanHalfFovY) \
  F(Camera, forward) \
  F(Camera, aspect) \
  F(Camera, orthoHalfHeight) \
  F(Camera, blades) \
  F(Camera, pad0) \
  F(Camera, pad1) \
  S(SamplingParams) \
  F(SamplingParams, cameraMedia) \
  F(SamplingParams, pad0) \
  F(SamplingParams, sampleIndex) \
  F(SamplingParams, seed) \
  F(SamplingParams, flags) \
  F(SamplingParams, strategy) \
  F(SamplingParams, bounces) \
  F(SamplingParams, rouletteDepth) \
  F(SamplingParams, panes) \
  F(SamplingParams, pad1) \
  S(Frame) \
  F(Frame, camera) \
  F(Frame, previous) \
  F(Frame, sampling) \
  F(Frame, scene) \
  F(Frame, film) \
  F(Frame, firstHits) \
  F(Frame, wavefront) \
  F(Frame, restir) \
  F(Frame, guides) \
  F(Frame, denoise) \
  F(Frame, learned) \
  F(Frame, errorMap) \
  F(Frame, net) \
  F(Frame, upscale) \
  F(Frame, display) \
  F(Frame, rays) \
  F(Frame, replay) \
  F(Frame, build) \
  S(Light) \
  F(Light, position) \
  F(Light, kind) \
  F(Light, direction) \
  F(Light, face) \
  F(Light, intensity) \
  F(Light, selection) \
  F(Light, emission) \
  F(Light, material) \
  F(Light, cosInner) \
  F(Light, cosOuter) \
  F(Light, range) \
  F(Light, area) \
  S(AliasEntry) \
  F(AliasEntry, threshold) \
  F(AliasEntry, alias) \
  F(AliasEntry, pdf) \
  F(AliasEntry, trail) \
  S(LightCluster) \
  F(LightCluster, center) \
  F(LightCluster, radius) \
  F(LightCluster, axis) \
  F(LightCluster, intensity) \
  F(LightCluster, spread) \
  F(LightCluster, cosEmission) \
  F(LightCluster, child) \
  F(LightCluster, twoSided) \
  S(LightTree) \
  F(LightTree, clusters) \
  F(LightTree, alias) \
  F(LightTree, share) \
  F(LightTree, pad0) \
  F(LightTree, pad1) \
  F(LightTree, pad2) \
  S(Environment) \
  F(Environment, texels) \
  F(Environment, alias) \
  F(Environment, width) \
  F(Environment, height) \
  F(Environment, light) \
  F(Environment, strength) \
  F(Environment, constant) \
  F(Environment, rotation) \
  S(Movement) \
  F(Movement, toWorld) \
  F(Movement, positions) \
  F(Movement, firstVertex) \
  F(Movement, pad) \
  S(DeformedMesh) \
  F(DeformedMesh, nodes) \
  F(DeformedMesh, wideNodes) \
  F(DeformedMesh, spreadNodes) \
  F(DeformedMesh, triangles) \
  F(DeformedMesh, rest) \
  F(DeformedMesh, influences) \
  F(DeformedMesh, deltas) \
  F(DeformedMesh, influenceCount) \
  F(DeformedMesh, targetCount) \
  F(DeformedMesh, first) \
  F(DeformedMesh, firstVertex) \
  F(DeformedMesh, vertexCount) \
  F(DeformedMesh, firstTriangle) \
  F(DeformedMesh, triangleCount) \
  F(DeformedMesh, firstWide) \
  F(DeformedMesh, firstMatrix) \
  F(DeformedMesh, firstWeight) \
  F(DeformedMesh, flags) \
  F(DeformedMesh, pad0) \
  F(DeformedMesh, pad1) \
  F(DeformedMesh, pad2) \
  S(Influence) \
  F(Influence, joint) \
  F(Influence, weight) \
  S(MorphDelta) \
  F(MorphDelta, position) \
  F(MorphDelta, pad0) \
  F(MorphDelta, normal) \
  F(MorphDelta, pad1) \
  F(MorphDelta, tangent) \
  F(MorphDelta, pad2) \
  S(RefitNode) \
  F(RefitNode, mesh) \
  F(RefitNode, node) \
  S(RefitBox) \
  F(RefitBox, lo) \
  F(RefitBox, pad0) \
  F(RefitBox, hi) \
  F(RefitBox, pad1) \
  S(RefitLevel) \
  F(RefitLevel, first) \
  F(RefitLevel, count) \
  S(Posing) \
  F(Posing, meshes) \
  F(Posing, matrices) \
  F(Posing, weights) \
  F(Posing, previous) \
  F(Posing, vertices) \
  F(Posing, lights) \
  F(Posing, restLights) \
  F(Posing, nodes) \
  F(Posing, levels) \
  F(Posing, wideNodes) \
  F(Posing, wideLevels) \
  F(Posing, wideBoxes) \
  F(Posing, boxes) \
  F(Posing, pad0) \
  F(Posing, meshCount) \
  F(Posing, vertexCount) \
  F(Posing, triangleCount) \
  F(Posing, pad1) \
  S(ConvLayer) \
  F(ConvLayer, sources) \
  F(ConvLayer, weights) \
  F(ConvLayer, bias) \
  F(ConvLayer, output) \
  F(ConvLayer, pooled) \
  F(ConvLayer, pad0) \
  F(ConvLayer, chunks) \
  F(ConvLayer, width) \
  F(ConvLayer, height) \
  F(ConvLayer, channels) \
  F(ConvLayer, flags) \
  S(NetParams) \
  F(NetParams, layers) \
  F(NetParams, pad0) \
  S(ReplayQuery) \
  F(ReplayQuery, x) \
  F(ReplayQuery, y) \
  F(ReplayQuery, sample) \
  F(ReplayQuery, seed) \
  F(ReplayQuery, cameraSample) \
  F(ReplayQuery, cameraSeed) \
  F(ReplayQuery, hitSample) \
  F(ReplayQuery, pad0) \
  S(ReplayAnswer) \
  F(ReplayAnswer, Lo) \
  F(ReplayAnswer, vertices) \
  F(ReplayAnswer, sum) \
  F(ReplayAnswer, samples) \
  S(ReplayVertex) \
  F(ReplayVertex, position) \
  F(ReplayVertex, event) \
  F(ReplayVertex, normal) \
  F(ReplayVertex, distance) \
  F(ReplayVertex, throughput) \
  F(ReplayVertex, material) \
  F(ReplayVertex, emitted) \
  F(ReplayVertex, emissionWeight) \
  F(ReplayVertex, direct) \
  F(ReplayVertex, lightWeight) \
  F(ReplayVertex, toLight) \
  F(ReplayVertex, lightDistance) \
  F(ReplayVertex, next) \
  F(ReplayVertex, pdf) \
  F(ReplayVertex, lobe) \
  F(ReplayVertex, light) \
  F(ReplayVertex, object) \
  F(ReplayVertex, lightPdf) \
  S(ReplayShared) \
  F(ReplayShared, x2) \
  F(ReplayShared, kind) \
  F(ReplayShared, L) \
  F(ReplayShared, weight) \
  F(ReplayShared, radiance) \
  F(ReplayShared, pixel) \
  F(ReplayShared, confidence) \
  F(ReplayShared, age) \
  F(ReplayShared, pad0) \
  F(ReplayShared, pad1) \
  S(ReplayParams) \
  F(ReplayParams, queries) \
  F(ReplayParams, answers) \
  F(ReplayParams, vertices) \
  F(ReplayParams, shared) \
  F(ReplayParams, count) \
  F(ReplayParams, most) \
  F(ReplayParams, pad0) \
  F(ReplayParams, pad1) \
  S(GBuffer) \
  F(GBuffer, position) \
  F(GBuffer, ns) \
  F(GBuffer, ng) \
  F(GBuffer, wo) \
  F(GBuffer, color) \
  F(GBuffer, lobes) \
  F(GBuffer, depth) \
  F(GBuffer, triangle) \
  F(GBuffer, u) \
  F(GBuffer, v) \
  S(Reservoir) \
  F(Reservoir, x2) \
  F(Reservoir, n2) \
  F(Reservoir, L2) \
  F(Reservoir, chroma) \
  F(Reservoir, W) \
  F(Reservoir, meta) \
  S(Shade) \
  F(Shade, direct) \
  F(Shade, dimension) \
  F(Shade, prefix) \
  F(Shade, metLight) \
  F(Shade, own) \
  F(Shade, paths) \
  S(RestirParams) \
  F(RestirParams, gbuffer) \
  F(RestirParams, previousGBuffer) \
  F(RestirParams, reservoirs) \
  F(RestirParams, history) \
  F(RestirParams, shade) \
  F(RestirParams, lights) \
  F(RestirParams, candidates) \
  F(RestirParams, neighborRefs) \
  F(RestirParams, view) \
  F(RestirParams, lightMedia) \
  F(RestirParams, frameIndex) \
  F(RestirParams, path) \
  F(RestirParams, flags) \
  F(RestirParams, misMode) \
  F(RestirParams, confidenceCap) \
  F(RestirParams, neighbors) \
  F(RestirParams, neighborPlanes) \
  F(RestirParams, reuseView) \
  F(RestirParams, lightSamples) \
  F(RestirParams, blockSide) \
  F(RestirParams, minNormalDot) \
  F(RestirParams, maxDepthChange) \
  F(RestirParams, minDistance) \
  F(RestirParams, maxMaterialChange) \
  F(RestirParams, boiling) \
  F(RestirParams, copyPower) \
  S(Face) \
  F(Face, v0) \
  F(Face, v1) \
  F(Face, v2) \
  F(Face, triangle) \
  S(Vertex) \
  F(Vertex, position) \
  F(Vertex, colorRG) \
  F(Vertex, normal) \
  F(Vertex, colorBA) \
  F(Vertex, tangent) \
  F(Vertex, uv0) \
  F(Vertex, uv1) \
  S(Texture) \
  F(Texture, texels) \
  F(Texture, width) \
  F(Texture, height) \
  F(Texture, wrapS) \
  F(Texture, wrapT) \
  F(Texture, flags) \
  F(Texture, mips) \
  S(TextureRef) \
  F(TextureRef, texture) \
  F(TextureRef, uvSet) \
  F(TextureRef, m00) \
  F(TextureRef, m01) \
  F(TextureRef, m02) \
  F(TextureRef, m10) \
  F(TextureRef, m11) \
  F(TextureRef, m12) \
  S(Flakes) \
  F(Flakes, color) \
  F(Flakes, size) \
  F(Flakes, otherColor) \
  F(Flakes, coverage) \
  F(Flakes, exponent) \
  F(Flakes, spread) \
  F(Flakes, pad0) \
  F(Flakes, pad1) \
  S(Material) \
  F(Material, baseColor) \
  F(Material, emission) \
  F(Material, metallic) \
  F(Material, specularColor) \
  F(Material, specular) \
  F(Material, attenuation) \
  F(Material, roughness) \
  F(Material, scattering) \
  F(Material, scatterAnisotropy) \
  F(Material, ior) \
  F(Material, transmission) \
  F(Material, normalScale) \
  F(Material, alphaCutoff) \
  F(Material, alphaMode) \
  F(Material, flags) \
  F(Material, priority) \
  F(Material, pad1) \
  F(Material, textures) \
  F(Material, flakes) \
  F(Material, edgeColor) \
  F(Material, clearcoat) \
  F(Material, sheenColor) \
  F(Material, sheenRoughness) \
  F(Material, diffuseTransmissionColor) \
  F(Material, diffuseTransmission) \
  F(Material, clearcoatRoughness) \
  F(Material, clearcoatNormalScale) \
  F(Material, anisotropy) \
  F(Material, anisotropyCos) \
  F(Material, anisotropySin) \
  F(Material, iridescence) \
  F(Material, iridescenceIor) \
  F(Material, iridescenceMin) \
  F(Material, iridescenceMax) \
  F(Material, dispersion) \
  F(Material, pad3) \
  F(Material, pad4) \
  S(SceneParams) \
  F(SceneParams, environment) \
  F(SceneParams, lightTree) \
  F(SceneParams, nodes) \
  F(SceneParams, wideNodes) \
  F(SceneParams, spreadNodes) \
  F(SceneParams, triangles) \
  F(SceneParams, instances) \
  F(SceneParams, tlasNodes) \
  F(SceneParams, tlasWideNodes) \
  F(SceneParams, tlasOrder) \
  F(SceneParams, faces) \
  F(SceneParams, vertices) \
  F(SceneParams, materials) \
  F(SceneParams, textures) \
  F(SceneParams, lights) \
  F(SceneParams, lightAlias) \
  F(SceneParams, tables) \
  F(SceneParams, movements) \
  F(SceneParams, hardware) \
  F(SceneParams, pad1) \
  F(SceneParams, instanceCount) \
  F(SceneParams, nodeCount) \
  F(SceneParams, lightCount) \
  F(SceneParams, missing) \
  F(SceneParams, radius) \
  F(SceneParams, reach) \
  F(SceneParams, lightScale) \
  F(SceneParams, pad0) \
  S(LowResPixel) \
  F(LowResPixel, light) \
  F(LowResPixel, albedo) \
  F(LowResPixel, position) \
  F(LowResPixel, normal) \
  F(LowResPixel, at) \
  F(LowResPixel, emissive) \
  F(LowResPixel, pad) \
  S(UpscaleParams) \
  F(UpscaleParams, samples) \
  F(UpscaleParams, image) \
  F(UpscaleParams, history) \
  F(UpscaleParams, next) \
  F(UpscaleParams, distances) \
  F(UpscaleParams, nextDistances) \
  F(UpscaleParams, width) \
  F(UpscaleParams, height) \
  F(UpscaleParams, flags) \
  F(UpscaleParams, share) \
  S(WavefrontParams) \
  F(WavefrontParams, paths) \
  F(WavefrontParams, hits) \
  F(WavefrontParams, queues) \
  F(WavefrontParams, shadowRays) \
  F(WavefrontParams, queueLengths) \
  F(WavefrontParams, pathIndices) \
  F(WavefrontParams, freeSlots) \
  F(WavefrontParams, survivors) \
  F(WavefrontParams, scanSums) \
  F(WavefrontParams, shadingOrder) \
  F(WavefrontParams, sortTable) \
  F(WavefrontParams, poolSize) \
  F(WavefrontParams, waves) \
  F(WavefrontParams, compaction) \
  F(WavefrontParams, sorting) \
  F(WavefrontParams, pad0) \
  F(WavefrontParams, pad1)
