package device

// Allocation is device memory that is wanted: where it is kept, and how much, bytes. A list of them is THE table of a set of
// buffers, from which both allocating and freeing follow.
type Allocation struct {
	Buffer *Buffer
	Bytes  int
}

// Allocate takes all that is wanted, or nothing. What is wanted of 0 bytes stays empty.
func Allocate(m Memory, list []Allocation) error {
	for _, a := range list {
		if a.Bytes == 0 {
			continue
		}
		var err error
		if *a.Buffer, err = m.Alloc(a.Bytes); err != nil {
			Release(m, list)
			return err
		}
	}
	return nil
}

// Release frees what a list holds, whatever its size.
func Release(m Memory, list []Allocation) {
	for _, a := range list {
		m.Free(*a.Buffer)
		*a.Buffer = Buffer{}
	}
}

// Set is a set of buffers whose sizes follow from a shape. The zero value is empty.
type Set[S comparable] struct {
	shape S
	list  []Allocation
}

// Ensure makes the buffers fit a shape: all of them, or none. It tells whether they are new, and hold nothing yet.
func (s *Set[S]) Ensure(m Memory, shape S, list func(S) []Allocation) (fresh bool, err error) {
	if s.list != nil && s.shape == shape {
		return false, nil
	}
	s.Free(m)
	wanted := list(shape)
	if err := Allocate(m, wanted); err != nil {
		return false, err
	}
	s.shape, s.list = shape, wanted
	return true, nil
}

// Free gives the memory back.
func (s *Set[S]) Free(m Memory) {
	Release(m, s.list)
	*s = Set[S]{}
}

// Shape is the one that the buffers fit; zero while there are none.
func (s *Set[S]) Shape() S { return s.shape }

// Held tells whether there are buffers.
func (s *Set[S]) Held() bool { return s.list != nil }

// Bytes is the memory that is held.
func (s *Set[S]) Bytes() int { return Held(s.list) }

// Held is how many bytes a list of allocations has got.
func Held(list []Allocation) (bytes int) {
	for _, a := range list {
		bytes += a.Buffer.Size
	}
	return bytes
}

// Rows is data that goes to the device, and where its address goes.
type Rows struct {
	Address *uint64
	Data    []byte
	Bytes   int  // when there is no data: the buffer is not initialized
	Stays   bool // the data is not written, here or there, until the buffer is freed: it may be lent
}

// UploadAll allocates and fills a buffer for each row, or none.
func UploadAll(m Memory, rows []Rows) ([]Buffer, error) {
	var buffers []Buffer
	for _, row := range rows {
		b, err := row.bring(m)
		if err != nil {
			FreeAll(m, buffers)
			return nil, err
		}
		buffers = append(buffers, b)
		*row.Address = b.Address
	}
	return buffers, nil
}

func (r *Rows) bring(m Memory) (Buffer, error) {
	if r.Stays {
		if b, ok := m.Lend(r.Data); ok {
			return b, nil
		}
	}
	b, err := m.Alloc(max(len(r.Data), r.Bytes, 1))
	if err == nil {
		if err = m.Upload(b, r.Data); err != nil {
			m.Free(b)
		}
	}
	return b, err
}

// FreeAll frees buffers.
func FreeAll(m Memory, buffers []Buffer) {
	for _, b := range buffers {
		m.Free(b)
	}
}

// SizeOfAll is the memory of buffers, bytes.
func SizeOfAll(buffers []Buffer) (bytes int) {
	for _, b := range buffers {
		bytes += b.Size
	}
	return bytes
}
