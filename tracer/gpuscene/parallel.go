package gpuscene

import (
	"glint/tracer/device"
	"glint/tracer/guard"
)

// parallel runs f for every index below n, on all cores.
func parallel(n int, f func(i int)) {
	guard.InChunks(n, func(_, begin, end int) {
		for i := begin; i < end; i++ {
			f(i)
		}
	})
}

// runAll queues launches one after the other.
func runAll(d device.Queue, launches ...device.Launch) error {
	for _, l := range launches {
		if err := device.Run(d, l); err != nil {
			return err
		}
	}
	return nil
}
