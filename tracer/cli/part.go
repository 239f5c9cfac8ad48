package cli

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
	"glint/tracer/film"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/view"
)

// part is some samples of a still, and what they are samples of. Its file is an .exr: the picture so far, which any program shows, and
// the sums that it was made of (film.Sums) as layers.
type part struct {
	sums  *film.Sums
	notes map[string]string // what all parts of the still have alike
}

// notePlanes is a note of parts: how many AOVs are kept beside light. Their samples are A:B.
const notePlanes = "set of planes"

// newPart is one without samples yet.
func (j *job) newPart(version string, first int) (*part, error) {
	settings, camera := j.settings.OfImage(), j.prepared.Scene.CameraToFile(j.view.Camera)
	settings.Integrator = j.renderer.Engine().Plan(j.view, j.settings).Settings.Integrator
	saidSettings, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("describe the part: %w", err)
	}
	saidCamera, err := json.Marshal(camera)
	if err != nil {
		return nil, fmt.Errorf("describe the part: %w", err)
	}
	content, h := contentKey(j.prepared.Scene, j.environment), sha256.New()
	h.Write(content[:])
	if j.pose != nil {
		writePose(h, j.pose)
	}
	size := film.Size{Width: j.view.Width, Height: j.view.Height}
	return &part{
		sums: &film.Sums{Size: size, First: first, End: first},
		notes: map[string]string{
			noteVersion: version, noteContent: shortHash(h.Sum(nil)), noteSize: fmt.Sprintf("%dx%d", size.Width, size.Height),
			view.NoteScene: inUTF8(j.prepared.Scene.Name), view.NoteCamera: string(saidCamera), view.NoteSettings: string(saidSettings),
		},
	}, nil
}

// write writes the part's file.
func (p *part) write(path string) error {
	s := p.sums
	var layers []imageio.Layer
	s.MakeFinite()
	for _, t := range s.Trees {
		layers = append(layers, layerOf(t, s))
	}
	meta := imageio.Meta{view.NoteSamples: span{s.First, s.End}.String(), notePlanes: strconv.Itoa(s.Planes)}
	for key, value := range p.notes {
		meta[key] = value
	}
	return imageio.WriteLayers(path, p.picture(), layers, meta)
}

// whole is what of the part follows without a gap. Its values are those of the part.
func (p *part) whole() *part {
	sums := *p.sums
	sums.Trees = slices.Clone(sums.Trees)
	sums.Cut()
	return &part{sums: &sums, notes: p.notes}
}

// picture shows the part.
func (p *part) picture() *imageio.Image { return meanOf(p.sums) }

// meanOf is the mean of samples, linear, nits.
func meanOf(s *film.Sums) *imageio.Image {
	total := s.Total()
	img := &imageio.Image{Width: s.Size.Width, Height: s.Size.Height, Pix: make([]float32, 3*s.Size.Pixels())}
	for i := range s.Size.Pixels() {
		for c := range 3 {
			img.Pix[3*i+c] = total[4*i+c] / max(total[4*i+3], 1)
		}
	}
	imageio.MakeFinite(img.Pix)
	return img
}

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

// readPart reads a part's file.
func readPart(ctx context.Context, path string) (*part, error) {
	free := int64(min(profile.AvailableMemory()/2, math.MaxInt64)) // sums are copied once
	p := &part{sums: &film.Sums{}}
	file, err := imageio.ReadLayers(ctx, path, guard.NewMemory(free), p.describe)
	var large *guard.MemoryError
	if errors.As(err, &large) {
		return nil, fmt.Errorf("read %s: it takes %s of memory, and %s are free: make room, or render smaller parts", path, guard.Size(2*large.Bytes), guard.Size(2*free))
	}
	if err != nil {
		return nil, err
	}
	s := p.sums
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
func (p *part) describe(file *imageio.Layered) error {
	s := p.sums
	s.Size, p.notes = film.Size{Width: file.Image.Width, Height: file.Image.Height}, maps.Clone(file.Meta)
	samples, err := samplesOf(file.Meta)
	if err != nil {
		return err
	}
	s.First, s.End = samples.first, samples.end
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
	delete(p.notes, view.NoteSamples)
	delete(p.notes, notePlanes)
	return nil
}

// damaged is the error of a part that is not as it was written.
func damaged(err error) error { return fmt.Errorf("the part is damaged: %w: render it again", err) }

// samplesOf are the samples of a part, by its notes.
func samplesOf(notes map[string]string) (samples span, err error) {
	switch {
	case samples.UnmarshalText([]byte(notes[view.NoteSamples])) != nil || notes[noteContent] == "":
		return samples, errors.New("it is no part of a still: glint render --samples A:B writes such")
	case samples.end > maxSamples:
		return samples, damaged(fmt.Errorf("it holds samples %v, and a pixel has at most %d", samples, maxSamples))
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
