// Package probe calls single device functions of the kernels on the CPU: the samplers, the BSDF, Fresnel, tone curves,
// texture lookup. It is there for tests alone, and no package of the product may import it. It compiles the same files
// as package cuda, in the build for any processor.
package probe
