package device

import (
	"unsafe"

	"glint/cuda"
	"glint/cuda/driver"
)

// Memory is where buffers live.
type Memory interface {
	Alloc(bytes int) (Buffer, error)
	Free(b Buffer)
	Upload(b Buffer, data []byte) error
	Download(b Buffer, data []byte) error
	Zero(b Buffer) error
	// Lend has kernels read data where it is, until Free; ok is false where it must be uploaded. Nobody may write it meanwhile.
	Lend(data []byte) (b Buffer, ok bool)
	// FreeMemory is what Alloc can still give, bytes; known is false where that is the host's memory, or the driver does not say.
	FreeMemory() (bytes uint64, known bool)
}

// ErrLost is why nothing works any more on a device.
var ErrLost = driver.ErrDeviceLost

// ErrOutOfMemory is why there is no buffer where a device's memory is used up. Its other buffers go on being there.
var ErrOutOfMemory = driver.ErrOutOfMemory

// Buffer is device memory.
type Buffer struct {
	Address uint64
	Size    int         // bytes
	host    cuda.Memory // behind it on the CPU
}

// From is the part of a buffer from a byte on, to be written. It is freed with the whole.
func (b Buffer) From(offset int) Buffer {
	return Buffer{Address: b.Address + uint64(offset), Size: b.Size - offset, host: b.host.From(offset)}
}

// BytesOf views a slice of plain structs as bytes.
func BytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// SizeOf is the size of a plain struct, bytes.
func SizeOf[T any]() int {
	var t T
	return int(unsafe.Sizeof(t))
}
