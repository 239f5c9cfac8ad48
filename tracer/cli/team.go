package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/guard"
)

// TeamFlags choose several devices.
type TeamFlags struct {
	Devices []string `placeholder:"auto|N|cpu" help:"Render on several devices of this machine at once: GPUs by number, cpu, or auto for all GPUs. In a window the first one renders, and the others help where the view rests. Takes the place of --backend and --device."`
}

// devices are those of the flags; none where --devices is not given.
func (f TeamFlags) devices() ([]tracer.Options, error) {
	if len(f.Devices) == 1 && f.Devices[0] == "auto" {
		gpus, err := driver.Devices(driver.Options{})
		if err != nil || len(gpus) == 0 { // as --backend auto does
			return []tracer.Options{{Backend: device.KindCPU}}, nil
		}
		all := make([]tracer.Options, len(gpus))
		for i := range all {
			all[i] = tracer.Options{Backend: device.KindCUDA, Device: i}
		}
		return all, nil
	}
	var all []tracer.Options
	for _, word := range f.Devices {
		o := tracer.Options{Backend: device.KindCPU}
		if word != device.KindCPU {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("--devices: %q is no device: want numbers of GPUs, cpu, or auto alone", word)
			}
			if err := driver.CheckOrdinal(driver.Options{Ordinal: n}); err != nil {
				return nil, fmt.Errorf("--devices: %w", err)
			}
			o = tracer.Options{Backend: device.KindCUDA, Device: n}
		}
		all = append(all, o)
	}
	return all, nil
}

// team is several devices with the same scene; the first is on the caller's thread until it fails. What one of them was doing when it
// failed, another does.
type team struct {
	log     *slog.Logger
	members []*member // that have not failed
	asked   bool      // --devices asks for them: then blocks of samples are added up, even by one
}

// member is one device. All that is done with its job is done on one thread: that of the caller, or of a goroutine of its own.
type member struct {
	name string
	job  *job
	do   func(work func()) // runs it there, and waits
	stop func()
}

// teamOfOne is a team of one, on the caller's thread.
func teamOfOne(p *Process, j *job) *team {
	m := newMember(j, tracer.Options{})
	m.name, m.job = j.renderer.Engine().Backend().Device, j
	return &team{log: p.Log, members: []*member{m}}
}

// openTeam loads a scene once, and opens all devices that the flags name.
func (c *SceneFlags) openTeam(ctx context.Context, p *Process, flags TeamFlags) (*team, error) {
	devices, err := flags.devices()
	if err != nil {
		return nil, err
	}
	if len(devices) == 0 {
		j, err := c.begin(ctx, p)
		if err != nil {
			return nil, err
		}
		return teamOfOne(p, j), nil
	}
	loaded, err := c.load(ctx, p, c.Scene, devices[0])
	if err != nil {
		return nil, err
	}
	t := &team{log: p.Log, asked: true}
	for i, o := range devices { // one after the other: they share what was prepared
		m := newMember(loaded, o)
		if i > 0 {
			m.useOwnThread()
		}
		m.do(func() { err = m.open(p, o) })
		if err != nil {
			m.stop()
			t.close()
			return nil, fmt.Errorf("--devices: %s: %w", m.name, err)
		}
		t.members = append(t.members, m)
		if ctx.Err() != nil {
			t.close()
			return nil, nothingYet(ctx)
		}
	}
	return t, nil
}

// newMember is a device on the caller's thread.
func newMember(loaded *job, o tracer.Options) *member {
	own := *loaded
	m := &member{name: device.KindCPU, job: &own, do: func(work func()) { work() }, stop: func() {}}
	if o.Backend == device.KindCUDA {
		m.name = fmt.Sprintf("GPU %d", o.Device)
	}
	return m
}

// useOwnThread gives the device a goroutine that is locked to its thread, as devices want it.
func (m *member) useOwnThread() {
	work := make(chan func())
	m.do = func(f func()) { guard.Elsewhere(f, func(f func()) { work <- f }) }
	m.stop = sync.OnceFunc(func() { close(work) })
	guard.Go(func() error {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for f := range work {
			f()
		}
		return nil
	}, func(error) {}) // what it does is guarded one by one
}

func (m *member) open(p *Process, o tracer.Options) error {
	if err := m.job.openOn(p, o); err != nil {
		return err
	}
	m.job.loaded = time.Since(m.job.begun)
	announce(p, m.job)
	return m.job.renderer.Engine().EnsureBVH(m.job.settings)
}

// close gives the devices back.
func (t *team) close() {
	for _, m := range t.members {
		m.close()
	}
	t.members = nil
}

func (m *member) close() {
	if m.job.renderer != nil {
		m.do(m.job.close)
	}
	m.stop()
}

// first does something with a device that has not failed.
func (t *team) first(work func(j *job) error) (err error) {
	m := t.members[0]
	m.do(func() { err = work(m.job) })
	return err
}

// each does pieces 0 … count−1 of a work, each on whichever device is free: the faster one is, the more it does. What do returns keeps
// a piece; it is called once for each, and one at a time. A device that fails is dropped, and its piece done by another. When no pieces
// are left, free devices do those again that slower ones are still at, and the first to come is kept: then the work's context ends. Any
// other error ends the work, and so does the context; its error is then the result.
func (t *team) each(ctx context.Context, count int, do func(ctx context.Context, m *member, piece int) (keep func() error, err error)) error {
	if count == 0 {
		return nil
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	w := &sharedWork{ctx: working, stop: stop, pieces: make([]pieceState, count), left: count, lost: map[*member]error{}}
	w.changed.L = &w.mu
	defer context.AfterFunc(working, w.changed.Broadcast)()
	var wait sync.WaitGroup
	for _, m := range t.members[1:] {
		wait.Go(func() { m.do(func() { t.work(m, w, do) }) })
	}
	head := t.members[0]
	head.do(func() { t.work(head, w, do) })
	wait.Wait()
	var lost []error
	t.members = slices.DeleteFunc(t.members, func(m *member) bool {
		err, failed := w.lost[m]
		if failed {
			lost = append(lost, fmt.Errorf("%s: %w", m.name, err))
			m.close()
		}
		return failed
	})
	switch {
	case w.failed != nil:
		return w.failed
	case w.left == 0 && len(t.members) > 0:
		return nil
	case len(t.members) == 0:
		return fmt.Errorf("all devices have failed: %w", errors.Join(lost...))
	}
	return ctx.Err()
}

// work does pieces until there are none, or the device fails.
func (t *team) work(m *member, w *sharedWork, do func(ctx context.Context, m *member, piece int) (keep func() error, err error)) {
	for {
		piece, ok := w.take()
		if !ok {
			return
		}
		keep, err := do(w.ctx, m, piece)
		if driver.IsDeviceError(err) && len(t.members) > 1 {
			t.log.Error("a device has failed: others do its work", "device", m.name, "err", err)
		}
		if !w.end(m, piece, keep, err) {
			return
		}
	}
}

// pieceState is how far a piece has come.
type pieceState struct {
	at   int // devices that are doing it
	done bool
}

// sharedWork is what a team has to do.
type sharedWork struct {
	ctx     context.Context // ends when nothing is left
	stop    func()
	mu      sync.Mutex
	changed sync.Cond
	pieces  []pieceState
	left    int // pieces that are not done
	lost    map[*member]error
	failed  error
}

// take is the next piece that nobody does, or else one that only one other device is at. It waits while there may be some later.
func (w *sharedWork) take() (piece int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.ctx.Err() == nil {
		for others := range 2 {
			if piece = slices.IndexFunc(w.pieces, func(p pieceState) bool { return !p.done && p.at == others }); piece >= 0 {
				w.pieces[piece].at++
				return piece, true
			}
		}
		w.changed.Wait()
	}
	return 0, false
}

// end says how a piece went; false: the device is to do no more.
func (w *sharedWork) end(m *member, piece int, keep func() error, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.changed.Broadcast()
	p := &w.pieces[piece]
	p.at--
	switch {
	case driver.IsDeviceError(err):
		w.lost[m] = err
		return false
	case w.ctx.Err() != nil: // too late, or interrupted
		return false
	case err == nil && !p.done:
		p.done = true
		w.left--
		err = keep()
	}
	if err != nil {
		w.failed = err
	}
	if err != nil || w.left == 0 {
		w.stop()
	}
	return err == nil
}
