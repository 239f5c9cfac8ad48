package guard

import "runtime"

// chunkSize is the least work that is worth a goroutine of its own.
const chunkSize = 1 << 15

// Chunks is the number of pieces that InChunks cuts n items into.
func Chunks(n int) int { return max(1, min(runtime.GOMAXPROCS(0), n/chunkSize)) }

// InChunks runs work over all of 0 … n−1 in contiguous pieces, one goroutine each, and waits.
func InChunks(n int, work func(chunk, begin, end int)) {
	count := Chunks(n)
	if count == 1 {
		work(0, 0, n)
		return
	}
	var wait Group
	for c := range count {
		wait.Go(func() { work(c, n*c/count, n*(c+1)/count) })
	}
	wait.Wait()
}

// OfChunks is what work makes of each of those pieces, in their order. It is written when a piece is done: cores that add to memory side
// by side all the time wait for each other.
func OfChunks[T any](n int, work func(begin, end int) T) []T {
	made := make([]T, Chunks(n))
	InChunks(n, func(chunk, begin, end int) { made[chunk] = work(begin, end) })
	return made
}

// All calls work for each of 0 … n−1, in such pieces.
func All(n int, work func(i int)) {
	InChunks(n, func(_, begin, end int) {
		for i := begin; i < end; i++ {
			work(i)
		}
	})
}
