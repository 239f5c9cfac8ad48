package scene

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls work for 0…n−1 on all cores and returns the error of the lowest index that failed.
func parallel(n int, work func(i int) error) error {
	var (
		next  atomic.Int64
		group sync.WaitGroup
		errs  = make([]error, n)
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = work(i)
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
