package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"glint/tracer"
	"glint/tracer/cli/job"
	"glint/tracer/denoise/net"
	"glint/tracer/device"
	"glint/tracer/profile"
)

// sequence is a line of index.jsonl. Its file has a plane of half floats for each of Planes, frame after frame: what the filter reads
// (cuda.RecordPlanes), the reference's three (zero where a frame has none) and those of what is shown now.
type sequence struct {
	File       string  `json:"file"`
	Scene      string  `json:"scene"`
	Integrator string  `json:"integrator"`
	Width      int     `json:"width"`
	Height     int     `json:"height"`
	Planes     int     `json:"planes"`
	Focus      float64 `json:"focus"` // m
	Frames     []frame `json:"frames"`
	Test       bool    `json:"test"`
}

// Run renders all scenes.
func (c *Command) Run(ctx context.Context, p *job.Process) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return fmt.Errorf("make a folder for training data: %w", err)
	}
	own, err := c.Settings()
	if err != nil {
		return err
	}
	if own.Denoise == "auto" || own.Denoise == "off" {
		own.Denoise = "atrous"
	}
	renderer, err := tracer.Open(c.Options(), profile.Policy{})
	if err != nil {
		return err
	}
	m := &maker{command: c, settings: own, engine: renderer.Engine(), random: rand.New(rand.NewPCG(uint64(own.Seed), 0))}
	for _, name := range c.Scenes {
		begun := time.Now()
		err := m.renderScene(ctx, name)
		if ctx.Err() != nil {
			break // what is in the index is whole
		}
		if err != nil {
			p.Log.Warn("left out", "scene", name, "why", err)
			continue
		}
		p.Log.Info("rendered", "scene", name, "seconds", job.Seconds(time.Since(begun)))
	}
	if m.written == 0 {
		err = errors.New("no scene gave anything to learn from")
	}
	return errors.Join(err, renderer.Close())
}

func (m *maker) renderScene(ctx context.Context, name string) error {
	for variant := range m.command.Variants {
		if err := m.load(ctx, name, variant); err != nil {
			return err
		}
		for range m.command.Sequences {
			if err := m.renderSequence(ctx, m.plan(variant)); err != nil {
				return err
			}
		}
	}
	return nil
}

// renderSequence renders a sequence to a file, and adds a line to the index. One that shows nothing is left out.
func (m *maker) renderSequence(ctx context.Context, plan plan) (err error) {
	c := m.command
	line := sequence{Scene: m.scene.name, Integrator: plan.integrator, Width: m.scene.view.Width, Height: m.scene.view.Height,
		Planes: planesOf, Focus: plan.focus(), Test: c.Test}
	file, err := os.CreateTemp(c.Output, "*.f16")
	if err != nil {
		return fmt.Errorf("training data: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	shows, err := m.renderFrames(ctx, plan, func(f frame, values []float32) error {
		line.Frames = append(line.Frames, f)
		halves := make([]net.Half, len(values))
		for i, v := range values {
			halves[i] = net.HalfOf(min(max(v, -largestHalf), largestHalf))
		}
		_, err := file.Write(device.BytesOf(halves))
		return err
	})
	if err != nil || !shows {
		return errors.Join(err, os.Remove(file.Name()))
	}
	m.written++
	line.File = filepath.Base(file.Name())
	return c.addToIndex(line)
}

// addToIndex writes a line at once, so that several processes may write to one folder.
func (c *Command) addToIndex(line sequence) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	index, err := os.OpenFile(filepath.Join(c.Output, "index.jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return fmt.Errorf("training data: %w", err)
	}
	_, err = index.Write(append(text, '\n'))
	return errors.Join(err, index.Close())
}

const largestHalf = 65504
