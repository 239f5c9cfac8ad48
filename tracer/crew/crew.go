// Package crew has other devices of this machine help with a live view that rests: they render samples of it, which are added to the
// image about once a second.
package crew

import (
	"fmt"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Crew are the devices that help one renderer. The zero value has none.
type Crew struct {
	helpers []*helper
	pose    *scene.Pose // the last one
	at      *work       // what they render, or nil
	added   time.Time   // when their samples were last added
}

const (
	helpFrom      = 16          // samples that an image has before others help: what comes earlier may share history, and not last
	addEvery      = time.Second // sums are copied to the host and back
	firstOfHelper = 1 << 24     // the first sample of the first helper, and how far apart those of others are; a multiple of a block
)

// Open opens devices.
func Open(devices []tracer.Options, p profile.Policy) (*Crew, error) {
	c := &Crew{}
	for _, o := range devices {
		name := "the processor"
		if o.Backend == device.KindCUDA {
			name = fmt.Sprintf("GPU %d", o.Device)
		}
		if err := c.Add(name, func() (*tracer.Renderer, error) { return tracer.Open(o, p) }); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Add opens one more device. It helps from the next scene on.
func (c *Crew) Add(name string, open func() (*tracer.Renderer, error)) error {
	h, err := newHelper(name, open)
	if err == nil {
		c.helpers = append(c.helpers, h)
	}
	return err
}

// Names are those of the devices that still help.
func (c *Crew) Names() (names []string) {
	for _, h := range c.helpers {
		names = append(names, h.name)
	}
	return names
}

// Use gives the devices a scene. One that cannot take it is reported and dropped when a view next rests.
func (c *Crew) Use(p *gpuscene.Prepared) {
	c.pose, c.at = nil, nil
	for _, h := range c.helpers {
		h.use(p)
	}
}

// Pose says where everything in the scene is from now on.
func (c *Crew) Pose(p *scene.Pose) { c.pose = p }

// Help follows what a renderer has just rendered: it has the devices render samples of a view that rests, adds those that they have, and
// counts them in stats. An image that starts over has fewer samples than helpFrom, so the devices leave the one before.
func (c *Crew) Help(r *tracer.Renderer, v schedule.Request, s settings.Settings, stats *view.Stats) error {
	if len(c.helpers) == 0 {
		return nil
	}
	image := r.Image()
	resting, ok := image.Resting(v, s, helpFrom)
	switch {
	case !ok && c.at != nil:
		c.at = nil
		for _, h := range c.helpers {
			h.ask(nil)
		}
	case !ok:
	case c.at == nil || c.at.Guides != resting.Guides:
		c.begin(resting)
	case time.Since(c.added) >= addEvery && image.TakesSamples():
		return c.add(image, stats)
	}
	return nil
}

// begin has the devices render samples of a view.
func (c *Crew) begin(resting tracer.Resting) {
	c.at, c.added = &work{resting, c.pose}, time.Now()
	// None has rendered more samples of this image than it has: those that it may have rendered before are passed over.
	rendered := (resting.Samples/film.BlockSamples + 1) * film.BlockSamples
	for i, h := range c.helpers {
		w := *c.at
		w.View.FirstSample = (i+1)*firstOfHelper + rendered
		h.ask(&w)
	}
}

// add adds what the devices have rendered to an image.
func (c *Crew) add(image tracer.Image, stats *view.Stats) error {
	c.added = time.Now()
	var all []float32
	count := 0
	c.helpers = slices.DeleteFunc(c.helpers, func(h *helper) bool {
		values, samples, failed := h.take()
		if failed != nil {
			stats.HelperError = fmt.Errorf("%s has failed, and helps no more: %w", h.name, failed)
			h.close()
			return true
		}
		if samples > 0 {
			all = film.AddValues(all, values)
			count += samples
		}
		return false
	})
	if count == 0 {
		return nil
	}
	stats.Samples += count
	return image.AddSamples(all, count)
}

// Close gives the devices back.
func (c *Crew) Close() {
	for _, h := range c.helpers {
		h.close()
	}
	c.helpers = nil
}
