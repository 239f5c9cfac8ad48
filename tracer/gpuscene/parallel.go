package gpuscene

import "glint/tracer/guard"

// parallel runs f for every index below n, on all cores.
func parallel(n int, f func(i int)) {
	guard.InChunks(n, func(_, begin, end int) {
		for i := begin; i < end; i++ {
			f(i)
		}
	})
}
