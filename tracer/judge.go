package tracer

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/display"
	"glint/tracer/guard"
	"glint/tracer/metric"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// judge finds out what integrator auto is to stand for in a window on a GPU. Whether path or restir is nearer to the truth in
// equal time depends on the scene, the view, whether it moves and whether it is denoised. So both render small images of the
// view, a few samples beside each of the window's own, and a reference shows which one errs less, as `glint grid` does.
type judge struct {
	engine  *Engine
	display *display.Display                // of the small images
	images  [judgedImages]*accumulator      // nil until they are wanted
	found   map[mode]view.Judgement         // the last answers
	answer  chan view.Judgement             // of a trial whose pictures are being compared; nil: there is none
	trial   *trial                          // under way, or nil
	err     error                           // why nothing can be measured
	costs   func(integrator string) float64 // ms of a sample, in place of measured ones; for tests, also on a processor

	inUse    string         // what auto stands for; empty: nothing yet
	unseen   bool           // the frame goes on: its last call showed nothing
	key      view.Key       // of what the window shows, whatever renders it
	since    time.Time      // when that began
	moved    bool           // in this frame
	cameras  []scene.Camera // of the last frames of a view that moves
	judged   subject        // the resting view that was judged last
	begun    time.Time      // when the last trial began
	worked   time.Time      // when there last was one under way
	pictures int            // so far: each has noise of its own
}

// mode is a way in which a view is shown. Each is judged by itself.
type mode struct{ moving, denoised bool }

// subject is what a resting view shows, and how.
type subject struct {
	key  view.Key
	mode mode
}

// The images of a trial: those of the two rivals, and the reference.
const (
	pathImage = iota
	restirImage
	referenceImage
	judgedImages
)

// rival is the integrator that makes an image of a trial.
func rival(i int) string { return [...]string{"path", "restir", "path"}[i] }

const (
	trialPixels      = 640 * 360              // of an image, at most, and half the view's sides
	trialFrames      = 8                      // of a moving view: all but the last give reuse and denoising their history
	timedSamples     = 4                      // that tell what a sample costs: whole frames of several paths
	restSamples      = 8                      // of a resting view by the slower rival
	mostSamples      = 32                     // of a picture by either
	referenceSamples = 64                     // of the reference
	trialShare       = 4                      // a call of Render is followed by trial samples of one pixel for so many of its own
	trialEvery       = 700 * time.Millisecond // from one trial of a moving view to the next, so that answers are about a second old at most
	trialsKept       = 5 * time.Second        // after a trial, the memory of a resting view's

	leastGain  = 1.05        // in error, for which another integrator is taken
	restGain   = 1.25        // the same where the image of a resting view would be lost
	fresh      = time.Second // how long that image is no loss
	unseenGain = 0.002       // of FLIP: a difference that nobody sees
)

func newJudge(e *Engine) *judge {
	return &judge{engine: e, display: display.New(e.device, &e.autoExposure), found: map[mode]view.Judgement{}}
}

// firstAnswer is what auto stands for until something has been measured: what was nearer to the truth on average of many
// scenes (docs/measurements.md).
func firstAnswer(m mode) string {
	if m.denoised {
		return rival(pathImage)
	}
	return rival(restirImage)
}

// choose is the integrator to go on with. What is in use stays unless the other one errs so much less that it is not noise
// and, where a resting view has accumulated for a while, worth beginning anew.
func choose(found view.Judgement, m mode, inUse string, age time.Duration) string {
	if inUse == "" || m.moving && found.At.IsZero() {
		inUse = firstAnswer(m)
	}
	gain := leastGain
	if !m.moving && age > fresh {
		gain = restGain
	}
	for i, t := range found.Trials {
		if other := found.Trials[1-i]; t.Integrator == inUse && t.Error > max(gain*other.Error, other.Error+unseenGain) {
			return other.Integrator
		}
	}
	return inUse
}

// decides tells whether it is the judge who says what auto stands for. On a processor a trial would take as long as many
// frames, and path is what it would find.
func (j *judge) decides(v *view.View, s *settings.Settings) bool {
	return s.Integrator == "auto" && v.Window && v.Live && (j.costs != nil || j.engine.device.Info().Kind == device.KindCUDA)
}

func (j *judge) modeOf(v *view.View, s *settings.Settings) mode {
	denoiser, _ := j.engine.chooseDenoiser(v, s.Denoise)
	return mode{v.Moving, denoiser != denoise.Off}
}

// name puts what renders in the place of auto.
func (j *judge) name(v view.View, s settings.Settings) settings.Settings {
	if j.decides(&v, &s) {
		if s.Integrator = j.inUse; j.inUse == "" {
			s.Integrator = firstAnswer(j.modeOf(&v, &s))
		}
	}
	return s
}

// decide says what the next call of Render is to go on with. Within a frame that stays, and where nothing is measured.
func (j *judge) decide(v view.View, s settings.Settings) {
	switch {
	case !j.decides(&v, &s):
		j.stop()
	case !j.unseen && (v.Fits > 0 || j.inUse == ""):
		m := j.modeOf(&v, &s)
		j.inUse = choose(j.found[m], m, j.inUse, time.Since(j.since))
	}
}

// watch follows what the window shows after each call of Render, and goes on with a trial. It tells what there is to go by, and how
// many paths the trial takes over those of a call.
func (j *judge) watch(p *Plan) (found view.Judgement, beside float64) {
	now := time.Now()
	j.note(p, now)
	j.takeAnswer()
	if err := j.goOn(p, now); err != nil {
		j.err = fmt.Errorf("compare path and restir: %w", err)
		j.free()
	}
	j.unseen = p.View.Unseen
	if !j.unseen {
		j.moved = false
	}
	found = j.found[modeOf(p)]
	found.Err = j.err
	if t := j.trial; t != nil {
		beside = float64(t.perCall) * t.scale * t.scale
	}
	return found, beside
}

func modeOf(p *Plan) mode { return mode{p.View.Moving, p.Settings.Denoise != denoise.Off} }

// note sees what has changed.
func (j *judge) note(p *Plan, now time.Time) {
	key := p.Key
	key.Settings.Integrator = ""
	if key.Scene != j.key.Scene {
		j.drop()
		j.found, j.judged, j.begun = map[mode]view.Judgement{}, subject{}, time.Time{}
	}
	if key.Light() != j.key.Light() {
		j.err = nil
	}
	if key != j.key {
		j.key, j.since, j.moved = key, now, true
	}
	if t := j.trial; t != nil && (key.Moves != t.key.Moves || !t.mode.moving && key != t.key) {
		j.trial = nil // of what is no more; one of a moving view has all that it needs, and goes on
	}
	switch {
	case p.View.Unseen:
	case !p.View.Moving:
		j.cameras = nil
	default:
		j.cameras = append(j.cameras[max(len(j.cameras)-trialFrames+1, 0):], p.View.Camera)
	}
}

// takeAnswer takes that of the last trial once its pictures have been compared.
func (j *judge) takeAnswer() {
	select {
	case found := <-j.answer:
		j.answer = nil
		if j.err = found.Err; j.err == nil {
			j.found[mode{found.Moving, found.Denoised}] = found
		}
	default:
	}
}

// goOn renders the next samples of a trial, if there is one or one is due.
func (j *judge) goOn(p *Plan, now time.Time) error {
	if j.trial == nil && j.due(p, now) {
		if err := j.begin(p, now); err != nil {
			return err
		}
	}
	if j.trial == nil {
		if !p.View.Moving && now.Sub(j.worked) > trialsKept {
			j.free()
		}
		return nil
	}
	j.worked = now
	for n := j.trial.perCall; n > 0 && j.trial != nil; n-- {
		if err := j.renderSample(j.trial); err != nil {
			return err
		}
	}
	return nil
}

// due tells whether a trial of what is shown is to begin: of a view that rests once, of one that moves now and then. Where a frame
// rate is asked for, frames of a moving view have no time for it.
func (j *judge) due(p *Plan, now time.Time) bool {
	switch {
	case j.answer != nil || j.err != nil || p.View.Fits <= 0 || p.View.Unseen || p.View.Layers || showsData(&p.Settings):
		return false
	case !p.View.Moving:
		return j.judged != subject{j.key, modeOf(p)}
	}
	return j.moved && len(j.cameras) == trialFrames && p.View.Goal == 0 && now.Sub(j.begun) >= trialEvery
}

// trial compares the rivals on what a view shows.
type trial struct {
	key      view.Key
	mode     mode
	plan     *Plan // of the view
	scale    float64
	perCall  int // samples after a call of Render
	exposure float64
	cameras  []scene.Camera // the view's last, oldest first
	inUse    string

	shots    []shot // that are still to be made
	made     int    // samples of the first of them
	ms       [referenceImage]float64
	samples  [referenceImage]int // of a picture; 0: not known yet
	pictures [judgedImages]*image.NRGBA
}

// shot is one picture of a trial.
type shot struct {
	image, samples int
	camera         scene.Camera
	number         int  // of its noise
	timed          bool // for what a sample costs, and shown to nobody
	kept           bool // for comparison
	anew           bool // without what came before
}

// begin begins a trial, by measuring what samples cost.
func (j *judge) begin(p *Plan, now time.Time) error {
	scale := min(0.5, math.Sqrt(trialPixels/float64(p.View.Width*p.View.Height)))
	t := &trial{key: j.key, mode: modeOf(p), plan: p, scale: scale, perCall: max(int(math.Round(1/(scale*scale*trialShare))), 1),
		exposure: p.Settings.Exposure, cameras: []scene.Camera{p.View.Camera}, inUse: j.inUse}
	if t.mode.moving {
		t.cameras = slices.Clone(j.cameras)
	}
	if p.Settings.AutoExposure {
		t.exposure += j.engine.autoExposure.EV()
	}
	j.begun = now
	if !t.mode.moving {
		j.judged = subject{j.key, t.mode}
	}
	for i := range j.images {
		if j.images[i] != nil {
			j.images[i].restart()
			continue
		}
		var err error
		if j.images[i], err = newAccumulator(j.engine, profile.Policy{TimeEvery: math.MaxInt}); err != nil { // whole samples
			return err
		}
	}
	for i := range t.ms {
		j.add(t, shot{image: i, samples: 1, camera: t.cameras[0]}) // takes memory
		j.add(t, shot{image: i, samples: timedSamples, camera: t.cameras[0], timed: true})
	}
	j.trial = t
	return nil
}

// add appends a shot to a trial.
func (j *judge) add(t *trial, s shot) {
	j.pictures++
	s.number = j.pictures
	t.shots = append(t.shots, s)
}

// share gives both rivals equal time, once it is known what their samples cost: while the view moves, that for which a frame
// has room.
func (t *trial) share() {
	slower, inUse := max(t.ms[pathImage], t.ms[restirImage]), t.ms[pathImage]
	if t.inUse == rival(restirImage) {
		inUse = t.ms[restirImage]
	}
	room := restSamples * slower
	if t.mode.moving {
		room = t.plan.View.Fits * inUse
	}
	room = min(room, mostSamples*min(t.ms[pathImage], t.ms[restirImage]))
	for i, ms := range t.ms {
		n := room / ms
		if !t.mode.moving {
			n = math.Round(n) // it goes on, and has no room that is left over
		}
		t.samples[i] = max(int(n+1e-9), 1)
	}
}

// planShots adds the pictures that are compared. Of a moving view, whatever looks back follows the camera over its last frames; where
// only the light changes, it finds nothing to look back to.
func (j *judge) planShots(t *trial) {
	frames, now := t.cameras, t.cameras[len(t.cameras)-1]
	still := frames[0] == now
	for i, samples := range t.samples {
		looksBack := t.mode.moving && !still && (t.mode.denoised || i == restirImage)
		if looksBack {
			for _, c := range frames[:len(frames)-1] {
				j.add(t, shot{image: i, samples: samples, camera: c})
			}
		}
		j.add(t, shot{image: i, samples: samples, camera: now, kept: true, anew: !looksBack})
	}
	j.add(t, shot{image: referenceImage, samples: referenceSamples, camera: now, kept: true})
}

// renderSample renders the next sample of a trial.
func (j *judge) renderSample(t *trial) error {
	s, a := t.shots[0], j.images[t.shots[0].image]
	if t.made == 0 && s.anew {
		a.restart()
	}
	if t.made == 0 && s.timed {
		if _, err := a.meanTime(); err != nil { // of what came before
			return err
		}
	}
	t.made++
	last := t.made == s.samples
	p := j.planOf(t, s, !last || s.timed)
	a.stopUnwanted(p)
	stats, err := a.render(p)
	if err = errors.Join(err, stats.DenoiseError); err != nil || !last {
		return err
	}
	t.shots, t.made = t.shots[1:], 0
	switch {
	case s.timed:
		t.ms[s.image], err = j.costOf(s.image)
	case s.kept:
		t.pictures[s.image], err = j.picture(a, p)
	}
	if err != nil || len(t.shots) > 0 {
		return err
	}
	if t.samples[0] == 0 {
		t.share()
		j.planShots(t)
		return nil
	}
	j.compare(t)
	return nil
}

// costOf is the time of the last samples of a rival, ms.
func (j *judge) costOf(image int) (float64, error) {
	if j.costs != nil {
		return j.costs(rival(image)), nil
	}
	ms, err := j.images[image].meanTime()
	if err == nil && ms <= 0 {
		err = errors.New("the device does not tell times")
	}
	return ms, err
}

// planOf is how a shot is rendered: as the window would, but small, and for comparison with others.
func (j *judge) planOf(t *trial, s shot, unseen bool) *Plan {
	v, own := t.plan.smaller(t.scale, s.number)
	v.Camera, v.Unseen, v.Gathers, v.Budget = s.camera, unseen, unseen, 0
	own.Integrator, own.Exec = rival(s.image), t.plan.Settings.Exec
	own.Exposure, own.AutoExposure, own.Bloom, own.Dither = t.exposure, false, 0, false
	switch {
	case s.image == referenceImage:
		v.Live, own.Sampling, own.Denoise = false, "mis", denoise.Off
	case t.mode.denoised:
		own.Denoise = denoise.Atrous // also for OIDN: a frame of that takes longer than all of a trial
	}
	if !t.mode.moving {
		own.RestirSettle = 0 // most samples of a resting view are independent
	}
	return j.engine.Plan(v, own)
}

// picture is what a window would show of an image.
func (j *judge) picture(a *accumulator, p *Plan) (*image.NRGBA, error) {
	f := a.frame(p)
	if p.showsDenoised {
		a.denoise.FillShown(&f)
	}
	if err := j.display.Resolve(&f, &p.Settings, 0, a.film.Target()); err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, p.View.Width, p.View.Height))
	return img, a.film.ReadTarget(img.Pix)
}

// compare ends a trial: its pictures are compared in the background.
func (j *judge) compare(t *trial) {
	answer := make(chan view.Judgement, 1)
	j.trial, j.answer = nil, answer
	var found view.Judgement
	guard.Go(func() error {
		found = t.judgement()
		return found.Err
	}, func(err error) {
		found.Err = err
		answer <- found
	})
}

// judgement is the rivals' error by FLIP in equal time.
func (t *trial) judgement() view.Judgement {
	found := view.Judgement{Moving: t.mode.moving, Denoised: t.mode.denoised, At: time.Now()}
	reference := display.Light(t.pictures[referenceImage])
	for i := range found.Trials {
		flip, err := metric.FLIP(display.Light(t.pictures[i]), reference, metric.DefaultPixelsPerDegree)
		if err != nil {
			found.Err = err
			return found
		}
		found.Trials[i] = view.Trial{Integrator: rival(i), Error: flip.Mean(), Ms: t.ms[i], Samples: t.samples[i]}
	}
	return found
}

// drop ends what is under way without an answer.
func (j *judge) drop() { j.trial, j.answer = nil, nil }

// free gives the memory back. What has been found stays.
func (j *judge) free() {
	j.trial = nil
	for i, a := range j.images {
		if a != nil {
			a.close()
			j.images[i] = nil
		}
	}
	j.display.Free()
}

// stop is for when auto is left.
func (j *judge) stop() {
	j.free()
	j.answer, j.inUse, j.judged = nil, "", subject{}
}

// bytes is the memory of the small images.
func (j *judge) bytes() (bytes int) {
	for _, a := range j.images {
		if a != nil {
			bytes += a.memory().Device()
		}
	}
	return bytes
}

func (j *judge) close() {
	j.free()
	j.display.Close()
}
