// Package images packs kernels that are compiled for several targets into one archive, a tar file in zstd, and takes single
// ones out. The tool that compiles writes it, package cuda embeds it.
//
//	manifest.json   what it was made from, and the targets
//	sm_86.cubin     machine code: a GPU runs it whose compute capability has the same major number and no smaller minor one
//	compute_75.ptx  text for a machine that there is none of: the driver compiles it for its GPU, whichever comes later
//	rays_75.ptx     the programs by which hardware traces rays, as such text: OptiX compiles it
//
// All images are of the same kernels and much alike, so together they take little more than half of what they take one by one.
package images

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Target is what an image is compiled for, as compilers name it: sm_86 or compute_75.
type Target string

const (
	machine = "sm_"      // before the capability, for machine code
	virtual = "compute_" // for PTX
	rays    = "rays_"    // for PTX that only OptiX understands
)

// Rays is the target of the programs by which hardware traces rays.
const Rays Target = rays + "75"

// IsPTX is true of targets that a driver has to compile further.
func (t Target) IsPTX() bool { return strings.HasPrefix(string(t), virtual) }

// Architecture is what the compiler is to write PTX for.
func (t Target) Architecture() string {
	return virtual + strings.TrimPrefix(strings.TrimPrefix(string(t), rays), virtual)
}

// isMachine is true of targets that a GPU runs as they are.
func (t Target) isMachine() bool { return strings.HasPrefix(string(t), machine) }

// capability is the target's compute capability: 8 and 6 of sm_86, 12 and 0 of sm_120.
func (t Target) capability() (major, minor int, err error) {
	digits := string(t)
	for _, prefix := range []string{machine, virtual, rays} {
		if after, ok := strings.CutPrefix(string(t), prefix); ok {
			digits = after
		}
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n < 10 || digits == string(t) {
		return 0, 0, fmt.Errorf("%q is no target: want %s86 for machine code or %s75 for PTX", string(t), machine, virtual)
	}
	return int(n / 10), int(n % 10), nil
}

// Check returns an error unless the target has the form of one.
func (t Target) Check() error {
	_, _, err := t.capability()
	return err
}

// File is the name of the target's image in an archive.
func (t Target) File() string {
	if t.isMachine() {
		return string(t) + ".cubin"
	}
	return string(t) + ".ptx"
}

// Image is all kernels, compiled for one target.
type Image struct {
	Target Target
	Data   []byte
}

// Manifest is the archive's first file.
type Manifest struct {
	Sources   string   `json:"sources"`   // their hash
	Compilers string   `json:"compilers"` // a hash of the programs that compiled them
	Targets   []Target `json:"targets"`   // in the order of the files
}

const manifestFile = "manifest.json"

// lacksMark is the number that stands in PTX for what a scene lacks: see has() in core/device.h.
const lacksMark = "1516263773"

// Lacking is PTX without code for what a scene lacks (enum Feature). With lacks = 0 it suits every scene; the picture is the same to the
// last digits.
func Lacking(ptx []byte, lacks uint32) []byte {
	return bytes.ReplaceAll(ptx, []byte(lacksMark), strconv.AppendUint(nil, uint64(lacks), 10))
}

// ampere is the major compute capability from which on GPUs have the instructions behind newerMark.
const ampere = 8

// Marks of instructions in PTX, at the beginning of a line: see core/matrix.h.
const (
	olderMark = "/*sm_75*/" // Turing's, which newer GPUs do without
	newerMark = "//sm_80 "  // those that replace them
)

// newer puts the instructions of newer GPUs in place of Turing's.
var newer = strings.NewReplacer(".target sm_75", ".target sm_80", olderMark, "//", newerMark, "")

// Instructions is PTX with the fastest instructions that GPUs of a major compute capability have.
func Instructions(ptx []byte, major int) []byte {
	if major < ampere {
		return ptx
	}
	return []byte(newer.Replace(string(ptx)))
}

// Instructions is the same for the GPUs of a target.
func (t Target) Instructions(ptx []byte) ([]byte, error) {
	major, _, err := t.capability()
	return Instructions(ptx, major), err
}

// window is how far back the compressor looks [bytes]: past the image before, where the same kernels are.
const window = 1 << 23

// Pack makes an archive, and fills in the manifest's targets. The same images give the same bytes.
func Pack(m Manifest, images []Image) (Archive, error) {
	m.Targets = nil
	for _, i := range images {
		m.Targets = append(m.Targets, i.Target)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("pack the kernels: %w", err)
	}
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	add := func(name string, data []byte) error {
		header := tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(&header); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	}
	errs := []error{add(manifestFile, text)}
	for _, i := range images {
		errs = append(errs, i.Target.Check(), add(i.Target.File(), i.Data))
	}
	errs = append(errs, w.Close())
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window),
		zstd.WithEncoderConcurrency(1))
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("pack the kernels: %w", err)
	}
	return z.EncodeAll(plain.Bytes(), nil), nil
}

// Archive is packed kernels.
type Archive []byte

// open calls use with the manifest and with the files behind it, which are unpacked as they are read.
func (a Archive) open(use func(m Manifest, files *tar.Reader) error) error {
	z, err := zstd.NewReader(bytes.NewReader(a), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("unpack the kernels: %w", err)
	}
	defer z.Close()
	files := tar.NewReader(z)
	var m Manifest
	header, err := files.Next()
	if err == nil && header.Name != manifestFile {
		err = fmt.Errorf("it begins with %s instead of %s", header.Name, manifestFile)
	}
	if err == nil {
		err = json.NewDecoder(files).Decode(&m)
	}
	if err == nil {
		err = use(m, files)
	}
	if err != nil {
		return fmt.Errorf("unpack the kernels: %w", err)
	}
	return nil
}

// Manifest says what the archive holds. Only its beginning is unpacked.
func (a Archive) Manifest() (manifest Manifest, err error) {
	err = a.open(func(m Manifest, _ *tar.Reader) error {
		manifest = m
		return nil
	})
	return manifest, err
}

// For is the image for a GPU of the given compute capability: the machine code that was made for the most of what it can do,
// else PTX.
func (a Archive) For(major, minor int) (Image, error) {
	return a.take(func(targets []Target) (Target, error) { return best(targets, major, minor) })
}

// PTX is the image that any GPU can have compiled.
func (a Archive) PTX() (Image, error) {
	return a.take(anyPTX)
}

// Rays is the programs by which hardware traces rays.
func (a Archive) Rays() (Image, error) {
	return a.take(func(targets []Target) (Target, error) {
		if !slices.Contains(targets, Rays) {
			return "", errors.New("there are no programs for hardware that traces rays: run `make kernels`")
		}
		return Rays, nil
	})
}

// take unpacks the image that choose chooses.
func (a Archive) take(choose func([]Target) (Target, error)) (image Image, err error) {
	err = a.open(func(m Manifest, files *tar.Reader) error {
		if image.Target, err = choose(m.Targets); err != nil {
			return err
		}
		for {
			header, err := files.Next()
			if errors.Is(err, io.EOF) {
				return fmt.Errorf("%s is missing: %w", image.Target.File(), io.ErrUnexpectedEOF)
			}
			if err != nil {
				return err
			}
			if header.Name == image.Target.File() {
				image.Data = make([]byte, header.Size)
				_, err := io.ReadFull(files, image.Data)
				return err
			}
		}
	})
	return image, err
}

// best is the target that suits a GPU best. Machine code runs on GPUs of the same major number and no smaller minor one.
func best(targets []Target, major, minor int) (Target, error) {
	found, most := Target(""), -1
	for _, t := range targets {
		hasMajor, hasMinor, err := t.capability()
		if err != nil {
			return "", err
		}
		if t.isMachine() && hasMajor == major && hasMinor <= minor && hasMinor > most {
			found, most = t, hasMinor
		}
	}
	if found != "" {
		return found, nil
	}
	return anyPTX(targets)
}

func anyPTX(targets []Target) (Target, error) {
	for _, t := range targets {
		if t.IsPTX() {
			return t, nil
		}
	}
	return "", errors.New("there is no PTX")
}
