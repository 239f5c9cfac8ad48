package movie

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// checkVideo tells whether a video file is whole to its end: ffmpeg may end well although the disk was full, and leave a file that
// no player opens.
func checkVideo(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(path), ".mkv") {
		err = checkMatroska(f, info.Size())
	} else {
		err = checkBoxes(f, info.Size())
	}
	if err != nil {
		return fmt.Errorf("the video is not whole: %w; is the disk full?", err)
	}
	return nil
}

var errCutShort = errors.New("it ends too early")

// checkBoxes walks the outermost boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2): they must fill the file, and there must
// be an index (moov) and pictures (mdat).
func checkBoxes(f io.ReaderAt, size int64) error {
	const short, long = 8, 16 // bytes of a header
	found := map[string]bool{}
	for at := int64(0); at < size; {
		var header [long]byte
		n, err := f.ReadAt(header[:], at)
		if n < short {
			return errors.Join(errCutShort, onlyFailures(err))
		}
		kind, length, head := string(header[4:8]), int64(binary.BigEndian.Uint32(header[:])), int64(short)
		if length == 1 && n == long {
			length, head = int64(binary.BigEndian.Uint64(header[short:])), long
		}
		if length < head || length > size-at {
			return errCutShort
		}
		found[kind] = found[kind] || length > head
		at += length
	}
	for _, kind := range []string{"moov", "mdat"} {
		if !found[kind] {
			return fmt.Errorf("it has no %s box", kind)
		}
	}
	return nil
}

// checkMatroska looks at the two outermost elements (RFC 8794): a header, and a segment of known length that ends with the file.
// ffmpeg writes the length last.
func checkMatroska(f io.ReaderAt, size int64) error {
	at := int64(0)
	for _, id := range []uint32{0x1A45DFA3, 0x18538067} { // EBML, Segment
		var header [12]byte
		n, err := f.ReadAt(header[:], at)
		if n < len(header) {
			return errors.Join(errCutShort, onlyFailures(err))
		}
		if binary.BigEndian.Uint32(header[:]) != id {
			return fmt.Errorf("element %#x is missing", id)
		}
		length, bytes := variableLength(header[4:])
		if bytes == 0 || length > uint64(size) {
			return errCutShort
		}
		at += 4 + int64(bytes) + int64(length)
	}
	if at != size {
		return errCutShort
	}
	return nil
}

// variableLength reads a length of EBML and how many bytes it takes: as many as the first byte has leading zeros, and one. All ones
// mean that the length is not known, and give 0 bytes.
func variableLength(b []byte) (length uint64, bytes int) {
	for bytes = 1; bytes <= 8 && b[0]>>(8-bytes) == 0; bytes++ {
	}
	if bytes > 8 {
		return 0, 0
	}
	for _, x := range b[:bytes] {
		length = length<<8 | uint64(x)
	}
	most := uint64(1)<<(7*bytes) - 1
	if length &= most; length == most {
		return 0, 0
	}
	return length, bytes
}

// onlyFailures drops the end of the file, which is no failure of reading.
func onlyFailures(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
