package imageio

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteAtomic lets write fill a temporary file beside path and then renames it to path, so that path holds either what
// it held before or all that write wrote. On error the temporary file is removed.
func WriteAtomic(path string, write func(w io.WriteSeeker) error) error {
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	err = write(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// createBeside makes a new file in path's folder. os.CreateTemp would hide the result from other users (mode 0600).
func createBeside(path string) (*os.File, error) {
	const attempts = 100
	folder, name := filepath.Split(path)
	for range attempts {
		temporary := filepath.Join(folder, fmt.Sprintf(".%s.%08x.part", name, rand.Uint32()))
		f, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("temporary file beside it: %w", reason(err))
		}
		return f, nil
	}
	return nil, errors.New("no free name for a temporary file beside it; remove old .part files")
}
