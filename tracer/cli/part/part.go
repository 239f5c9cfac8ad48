// Package part keeps parts of stills in files, and the notes by which parts of stills and films are found to belong together.
package part

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"glint/cuda"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/document"
	"glint/tracer/film"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/profile"
)

// Part is some samples of a still, and what they are samples of. Its file is an .exr: the picture so far, which any program shows, and
// the sums that it was made of (film.Sums) as layers.
type Part struct {
	Sums  *film.Sums
	Notes map[string]string // what all parts of the still have alike
}

// notePlanes is a note of parts: how many AOVs are kept beside light. Their samples are A:B.
const notePlanes = "set of planes"

// New is one without samples yet.
func New(j *job.Job, version string, first int) (*Part, error) {
	settings, camera := j.Settings.OfImage(), j.Prepared.Scene.CameraToFile(j.View.Camera)
	settings.Integrator = j.Renderer.Engine().Plan(j.View, j.Settings).Settings.Integrator
	saidSettings, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("describe the part: %w", err)
	}
	saidCamera, err := json.Marshal(camera)
	if err != nil {
		return nil, fmt.Errorf("describe the part: %w", err)
	}
	content, h := job.ContentKey(j.Prepared.Scene, j.Environment), sha256.New()
	h.Write(content[:])
	if j.Pose != nil {
		job.WritePose(h, j.Pose)
	}
	size := film.Size{Width: j.View.Width, Height: j.View.Height}
	return &Part{
		Sums: &film.Sums{Size: size, First: first, End: first},
		Notes: map[string]string{
			NoteVersion: version, NoteContent: job.ShortHash(h.Sum(nil)), document.NoteSize: fmt.Sprintf("%dx%d", size.Width, size.Height),
			document.NoteScene: inUTF8(j.Prepared.Scene.Name), document.NoteCamera: string(saidCamera), document.NoteSettings: string(saidSettings),
		},
	}, nil
}

// Write writes the part's file.
func (p *Part) Write(path string) error {
	s := p.Sums
	var layers []imageio.Layer
	s.MakeFinite()
	for _, t := range s.Trees {
		layers = append(layers, layerOf(t, s))
	}
	meta := imageio.Meta{document.NoteSamples: flags.Span{First: s.First, End: s.End}.String(), notePlanes: strconv.Itoa(s.Planes)}
	maps.Copy(meta, p.Notes)
	return imageio.WriteLayers(path, p.Picture(), layers, meta)
}

// Whole is what of the part follows without a gap. Its values are those of the part.
func (p *Part) Whole() *Part {
	sums := *p.Sums
	sums.Trees = slices.Clone(sums.Trees)
	sums.Cut()
	return &Part{Sums: &sums, Notes: p.Notes}
}

// Picture shows the part.
func (p *Part) Picture() *imageio.Image { return p.Sums.Mean() }

// layerOf holds a sum; its channels are four of light, four of each plane, and those of blocks. The name says which blocks of samples
// it is of.
func layerOf(t film.Subtree, s *film.Sums) imageio.Layer {
	layer := imageio.Layer{Name: fmt.Sprintf("sum-%d-%d", t.Level, t.Number), Pix: make([]float32, len(t.Values))}
	for c := range s.Values() / s.Size.Pixels() {
		layer.Channels = append(layer.Channels, fmt.Sprintf("%03d", c))
	}
	eachChannels(s, func(value, pix, n int) { copy(layer.Pix[pix:pix+n], t.Values[value:]) })
	return layer
}

// eachChannels calls do for the channels of each pixel that stand together in a sum: where they are there, where in a layer, and how many.
func eachChannels(s *film.Sums, do func(value, pix, n int)) {
	pixels := s.Size.Pixels()
	all := s.Values() / pixels
	for first := 0; first < all; first += 4 {
		n := min(4, all-first)
		for i := range pixels {
			do(first*pixels+n*i, all*i+first, n)
		}
	}
}

// Read reads a part's file.
func Read(ctx context.Context, path string) (*Part, error) {
	free := int64(min(profile.AvailableMemory()/2, math.MaxInt64)) // sums are copied once
	p := &Part{Sums: &film.Sums{}}
	file, err := imageio.ReadLayers(ctx, path, guard.NewMemory(free), p.describe)
	var large *guard.MemoryError
	if errors.As(err, &large) {
		return nil, fmt.Errorf("read %s: it takes %s of memory, and %s are free: make room, or render smaller parts", path,
			guard.Size(2*large.Bytes), guard.Size(2*free))
	}
	if err != nil {
		return nil, err
	}
	s := p.Sums
	for _, layer := range file.Layers {
		of, _ := subtreeOf(layer, s)
		for i := range s.Trees {
			if t := &s.Trees[i]; t.Level == of.Level && t.Number == of.Number {
				t.Values = make([]float32, len(layer.Pix))
				eachChannels(s, func(value, pix, n int) { copy(t.Values[value:value+n], layer.Pix[pix:]) })
			}
		}
	}
	if err := s.CheckValues(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, damaged(err))
	}
	return p, nil
}

// describe takes what a file says of itself, before its values are read.
func (p *Part) describe(file *imageio.Layered) error {
	s := p.Sums
	s.Size, p.Notes = film.Size{Width: file.Image.Width, Height: file.Image.Height}, maps.Clone(file.Meta)
	samples, err := SamplesOf(file.Meta)
	if err != nil {
		return err
	}
	s.First, s.End = samples.First, samples.End
	if s.Planes, err = strconv.Atoi(file.Meta[notePlanes]); err != nil || s.Planes < 0 || s.Planes > int(cuda.AovPlanes) {
		return damaged(errors.New("it does not say how many planes it has"))
	}
	for _, layer := range file.Layers {
		t, ok := subtreeOf(layer, s)
		if !ok {
			return damaged(fmt.Errorf("layer %s holds no sum", guard.Quoted(layer.Name)))
		}
		s.Trees = append(s.Trees, t)
	}
	slices.SortFunc(s.Trees, func(a, b film.Subtree) int { return a.Number<<a.Level - b.Number<<b.Level })
	if err := s.Check(); err != nil {
		return damaged(err)
	}
	delete(p.Notes, document.NoteSamples)
	delete(p.Notes, notePlanes)
	return nil
}

// damaged is the error of a part that is not as it was written.
func damaged(err error) error { return fmt.Errorf("the part is damaged: %w: render it again", err) }

// SamplesOf are the samples of a part, by its notes.
func SamplesOf(notes map[string]string) (samples flags.Span, err error) {
	switch {
	case samples.UnmarshalText([]byte(notes[document.NoteSamples])) != nil || notes[NoteContent] == "":
		return samples, errors.New("it is no part of a still: glint render --samples A:B writes such")
	case samples.End > flags.MaxSamples:
		return samples, damaged(fmt.Errorf("it holds samples %v, and a pixel has at most %d", samples, flags.MaxSamples))
	}
	return samples, nil
}

// subtreeOf is the subtree that a layer of layerOf holds, without its values.
func subtreeOf(layer imageio.Layer, s *film.Sums) (t film.Subtree, ok bool) {
	words := strings.Split(layer.Name, "-")
	if len(words) != 3 || words[0] != "sum" || len(layer.Channels)*s.Size.Pixels() != s.Values() {
		return t, false
	}
	var errs [2]error
	t.Level, errs[0] = strconv.Atoi(words[1])
	t.Number, errs[1] = strconv.Atoi(words[2])
	return t, errs[0] == nil && errs[1] == nil && t.Level >= 0 && t.Level <= 40 && t.Number >= 0 && t.Number <= math.MaxInt>>t.Level-1
}
