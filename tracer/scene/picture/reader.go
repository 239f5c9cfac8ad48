package picture

import (
	"context"
	"io"
)

// wantedReader ends when nobody wants any more of it.
type wantedReader struct {
	ctx context.Context
	io.Reader
}

// Read reads, unless the load was cancelled.
func (r wantedReader) Read(to []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(to)
}
