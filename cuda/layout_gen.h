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
  F(WideNode, meta) \
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
  S(SeenPlace) \
  F(SeenPlace, position) \
  F(SeenPlace, normal) \
  S(Signal) \
  F(Signal, redGreen) \
  F(Signal, blueError) \
  F(Signal, normalScale) \
  F(Signal, depth) \
  S(Meter) \
  F(Meter, ev) \
  F(Meter, target) \
  F(Meter, metered) \
  F(Meter, pad) \
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
  F(Camera, pad2) \
  F(Camera, pad0) \
  F(Camera, pad1) \
  S(Frame) \
  F(Frame, camera) \
  F(Frame, environment) \
  F(Frame, nodes) \
  F(Frame, wideNodes) \
  F(Frame, spreadNodes) \
  F(Frame, triangles) \
  F(Frame, instances) \
  F(Frame, upperNodes) \
  F(Frame, upperWideNodes) \
  F(Frame, upperOrder) \
  F(Frame, instanceCount) \
  F(Frame, instancePad) \
  F(Frame, faces) \
  F(Frame, vertices) \
  F(Frame, materials) \
  F(Frame, textures) \
  F(Frame, lights) \
  F(Frame, lightAlias) \
  F(Frame, tables) \
  F(Frame, accumulation) \
  F(Frame, preview) \
  F(Frame, target) \
  F(Frame, counters) \
  F(Frame, rays) \
  F(Frame, hits) \
  F(Frame, width) \
  F(Frame, height) \
  F(Frame, previewWidth) \
  F(Frame, previewHeight) \
  F(Frame, rayCount) \
  F(Frame, lightCount) \
  F(Frame, nodeCount) \
  F(Frame, sampleIndex) \
  F(Frame, seed) \
  F(Frame, flags) \
  F(Frame, sampling) \
  F(Frame, bounces) \
  F(Frame, rouletteDepth) \
  F(Frame, toneMap) \
  F(Frame, gbuffer) \
  F(Frame, previousGBuffer) \
  F(Frame, reservoirs) \
  F(Frame, history) \
  F(Frame, shade) \
  F(Frame, partners) \
  F(Frame, paths) \
  F(Frame, pathHits) \
  F(Frame, queues) \
  F(Frame, shadowRays) \
  F(Frame, queueLengths) \
  F(Frame, poolSize) \
  F(Frame, waves) \
  F(Frame, compaction) \
  F(Frame, sorting) \
  F(Frame, pathIndices) \
  F(Frame, endedPaths) \
  F(Frame, survivors) \
  F(Frame, scanSums) \
  F(Frame, shadingOrder) \
  F(Frame, sortTable) \
  F(Frame, lacks) \
  F(Frame, copyPower) \
  F(Frame, previousCamera) \
  F(Frame, frameIndex) \
  F(Frame, restir) \
  F(Frame, misMode) \
  F(Frame, confidenceCap) \
  F(Frame, neighbours) \
  F(Frame, partnerPlanes) \
  F(Frame, tiledPixels) \
  F(Frame, minNormalDot) \
  F(Frame, maxDepthChange) \
  F(Frame, minDistance) \
  F(Frame, maxMaterialChange) \
  F(Frame, boiling) \
  F(Frame, radius) \
  F(Frame, sceneRadius) \
  F(Frame, build) \
  F(Frame, view) \
  F(Frame, reuseView) \
  F(Frame, sampleWeight) \
  F(Frame, exposure) \
  F(Frame, lightScale) \
  F(Frame, balanceRed) \
  F(Frame, bloom) \
  F(Frame, balanceGreen) \
  F(Frame, bloomLevels) \
  F(Frame, balanceBlue) \
  F(Frame, display) \
  F(Frame, bloomed) \
  F(Frame, meter) \
  F(Frame, histogram) \
  F(Frame, adaptDarker) \
  F(Frame, adaptBrighter) \
  F(Frame, halves) \
  F(Frame, halfImages) \
  F(Frame, trust) \
  F(Frame, firstHits) \
  F(Frame, eyeSample) \
  F(Frame, eyeSeed) \
  F(Frame, aovs) \
  F(Frame, denoiser) \
  F(Frame, denoised) \
  F(Frame, objects) \
  F(Frame, objectCount) \
  F(Frame, aovPlanes) \
  F(Frame, shown) \
  F(Frame, aovPad) \
  F(Frame, places) \
  F(Frame, pastPlaces) \
  F(Frame, picture) \
  F(Frame, pastPicture) \
  F(Frame, light) \
  F(Frame, pastLight) \
  F(Frame, lightSamples) \
  F(Frame, pastLightSamples) \
  F(Frame, signals) \
  F(Frame, imageSamples) \
  F(Frame, historyCap) \
  F(Frame, upscaling) \
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
  F(AliasEntry, pad) \
  S(Environment) \
  F(Environment, texels) \
  F(Environment, alias) \
  F(Environment, width) \
  F(Environment, height) \
  F(Environment, light) \
  F(Environment, strength) \
  F(Environment, constant) \
  F(Environment, rotation) \
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
  F(Shade, pad0) \
  F(Shade, prefix) \
  F(Shade, pad1) \
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
  F(Texture, pad) \
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
  F(Material, pad0) \
  F(Material, pad1) \
  F(Material, textures) \
  F(Material, flakes) \
  F(Material, edgeColor) \
  F(Material, pad2) \
  S(SmallPixel) \
  F(SmallPixel, light) \
  F(SmallPixel, albedo) \
  F(SmallPixel, place) \
  F(SmallPixel, normal) \
  F(SmallPixel, at) \
  F(SmallPixel, glows) \
  F(SmallPixel, pad) \
  S(Upscaling) \
  F(Upscaling, samples) \
  F(Upscaling, image) \
  F(Upscaling, history) \
  F(Upscaling, next) \
  F(Upscaling, distances) \
  F(Upscaling, nextDistances) \
  F(Upscaling, width) \
  F(Upscaling, height) \
  F(Upscaling, flags) \
  F(Upscaling, share)
