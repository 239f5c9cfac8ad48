// Package optix calls OptiX, by which NVIDIA's driver traces rays in hardware. The library is opened while the program runs, and nothing of
// NVIDIA's is needed to build: what a call takes and returns is declared here.
//
//	l, err := optix.Open("")
//	c, err := l.NewContext()                            // of the CUDA context that is current
//	m, err := c.NewModule(ptx, "frame", sizeOfFrame)
//	p, err := m.NewPipeline("extend_paths")
//	err = p.Launch(stream, params, records, wave, width)
//
// Launches never go into the capture of a CUDA graph: the driver would run them at once, without their parameters, and lose the device.
package optix
