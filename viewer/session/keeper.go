package session

import (
	"errors"
	"time"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Keeper keeps a copy of what the image has, so that it survives a GPU that stops working.
type Keeper struct {
	frames  *Frames
	stage   *Stage
	open    func(on tracer.Options) (Renderer, error)
	on      tracer.Options
	release func()     // closes all other images of the device
	kept    *keptImage // nil: nothing is kept
	spare   []float32  // room for the next one's light
	due     bool       // it waits for an image to go into
	till    time.Time  // it waits so long for one of the same view
	lostAt  time.Time
	offers  bool // to start again, where the processor goes on

	fellBack bool // to the processor, and offers that
}

// keptImage is what an image had.
type keptImage struct {
	view     schedule.Request
	settings settings.Settings
	scene    *ShownScene
	posed    Moment
	changed  time.Time // when what is seen last changed
	samples  int
	light    []float32 // of these samples, summed
	at       time.Time
}

const (
	keptSamples = 16               // that an image must have: fewer are soon made
	keptAfter   = time.Second      // of rest: a copy takes some milliseconds
	keepOften   = 10 * time.Second // while the samples double meanwhile
	keepEvery   = 30 * time.Second // else
	lostAgain   = 30 * time.Second // within which a device that is lost again is given up
)

// keep copies the image now and then, while the view rests on a device that may be lost.
func (k *Keeper) keep(now time.Time) {
	side := k.frames.Active
	samples := side.Stats.Samples
	if k.due || k.frames.Comparing() || side.Sliced() || side.View.Moving || samples < keptSamples || now.Sub(k.frames.Rendered.changed) < keptAfter || !keepable(side) {
		return
	}
	if last := k.kept; last != nil && last.of(side, k.frames) && last.changed.Equal(k.frames.Rendered.changed) {
		wait := keepEvery
		if samples >= 2*last.samples {
			wait = keepOften
		}
		if samples <= last.samples || now.Sub(last.at) < wait {
			return
		}
	}
	light, err := side.Device.Light(k.spare)
	if err != nil {
		return // there is none to keep
	}
	if k.spare = nil; k.kept != nil {
		k.spare = k.kept.light
	}
	last := &k.frames.Rendered
	k.kept = &keptImage{view: side.View, settings: side.Used, scene: last.scene, posed: last.posed, changed: last.changed, at: now,
		samples: samples, light: light}
}

// keepable tells whether light alone is the image. Where the background is hidden it is not: what surfaces cover counts as well.
func keepable(side *Side) bool { return !side.Used.HidesBackground() }

// of tells whether the copy is of what a side shows.
func (k *keptImage) of(side *Side, frames *Frames) bool {
	v := side.View
	return frames.Rendered.scene == k.scene && frames.Rendered.posed.same(k.posed) && v.Camera == k.view.Camera && v.Width == k.view.Width && v.Height == k.view.Height && side.Used == k.settings
}

// rescue goes on after a frame has failed since the device is lost: with the same one, or else on the processor. Other errors it gives back.
func (k *Keeper) rescue(lost error, now time.Time) error {
	if !errors.Is(lost, device.ErrLost) || now.Sub(k.lostAt) < lostAgain {
		return lost
	}
	k.lostAt = now
	k.frames.log.Error("the device is lost", "err", lost)
	k.release() // what else has memory there
	k.frames.CloseSplit()
	k.frames.Change.Drop(k.frames.log)
	side := k.frames.Active
	side.Picture.Release()
	_ = side.Device.Close() // which is lost anyway
	side.Device = nil
	next, err := k.withScene(k.open(k.on))
	if err != nil {
		k.frames.log.Error("open the device again", "err", err)
		next, err = k.withScene(k.open(tracer.Options{Backend: device.KindCPU, Log: k.on.Log}))
	}
	if err != nil {
		return errors.Join(lost, err)
	}
	side.Device, side.Stats, side.Timer = next, view.Stats{}, schedule.SampleTimer{}
	k.frames.forgetCosts()
	k.due = k.kept != nil
	k.fellBack, k.till = k.offers && next.Backend().Kind == device.KindCPU, time.Time{}
	if !k.fellBack {
		k.frames.Messages.Warn("the GPU stopped working: " + next.Backend().Device + " goes on")
	}
	return nil
}

// withScene gives a device that was just opened the scene as it is now.
func (k *Keeper) withScene(next Renderer, err error) (Renderer, error) {
	if err != nil {
		return nil, err
	}
	if err = next.Use(k.stage.Shown.Prepared); err == nil {
		if pose := poseNow(k.stage); pose != nil {
			if refused := next.Pose(pose); errors.Is(refused, device.ErrLost) {
				err = refused
			} else if refused != nil { // as the device before did
				k.frames.log.Error("pose the scene", "err", refused)
			}
		}
	}
	if err != nil {
		return nil, errors.Join(err, next.Close())
	}
	return next, nil
}

// await has a copy wait so long for an image to go into.
func (k *Keeper) await(kept *keptImage, till time.Time) { k.kept, k.due, k.till = kept, true, till }

// restore puts the copy into the new image, once that shows the same view.
func (k *Keeper) restore(now time.Time) {
	side := k.frames.Active
	if !k.due || side.Stats.Samples == 0 || !side.Device.TakesSamples() {
		return
	}
	same := k.kept.of(side, k.frames)
	if !same && now.Before(k.till) {
		return
	}
	k.due = false
	if !same {
		k.frames.Messages.Say("the samples that were kept are of another view")
		return
	}
	if err := side.Device.SetLight(k.kept.light, k.kept.samples); err != nil { // which another device may not have room for
		k.frames.log.Error("go on with the samples that were kept", "err", err)
		return
	}
	side.Stats.Samples = k.kept.samples
	k.frames.Messages.Say(Count(k.kept.samples, "sample") + " kept")
	if side.Sliced() { // which cannot be lost
		k.kept, k.spare = nil, nil
	}
}
