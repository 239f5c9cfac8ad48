package tracer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"glint/cuda"
	"glint/cuda/driver"
)

// tailorProgram compiles the kernels for scenes that lack so much, without holding up who renders. What it made is kept among
// the user's cached files: the driver caches only what it compiles while it loads.
func tailorProgram(c *driver.Context, lacks uint32) (*program, error) {
	ptx := cuda.PTX(capability(c), lacks)
	file := keptKernels(c, ptx)
	if code, err := os.ReadFile(file); err == nil {
		if p, err := findKernels(c, lacks, code); err == nil {
			return p, nil
		}
	}
	code, err := c.Compile(ptx)
	if err != nil {
		return nil, err
	}
	keepKernels(file, code)
	return findKernels(c, lacks, code)
}

// keptKernels is where machine code is kept; empty where there is no such place. Its name tells all that it depends on.
func keptKernels(c *driver.Context, ptx []byte) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d.%d %d\n%s", c.Device.Name, c.Device.Major, c.Device.Minor, c.Device.DriverVersion, ptx))
	return filepath.Join(dir, "glint", "kernels", hex.EncodeToString(sum[:16])+".cubin")
}

// keepKernels writes a file whole or not at all. Where it cannot, they are compiled again another time.
func keepKernels(file string, code []byte) {
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(file), "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(code)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), file) != nil {
		_ = os.Remove(f.Name())
	}
}
