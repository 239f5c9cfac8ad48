package guard

import (
	"context"
	"runtime"
	"sync/atomic"
)

// Each calls work for 0…n−1 on all cores and returns the error of the lowest index that failed. When ctx ends it calls no
// more of it.
func Each(ctx context.Context, n int, work func(i int) error) error {
	var (
		next  atomic.Int64
		group Group
		errs  = make([]error, n)
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = work(i)
				}
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
