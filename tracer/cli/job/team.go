package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/cli/interrupt"
	"glint/tracer/crew"
	"glint/tracer/device"
)

// TeamFlags choose several devices.
type TeamFlags struct {
	Devices []string `placeholder:"auto|N|cpu" help:"Render on several devices of this machine at once: GPUs by number, cpu, or auto for all GPUs. In a window the first one renders, and the others help where the view rests. Takes the place of --backend and --device."`
}

// Chosen are those of the flags; none where --devices is not given.
func (f TeamFlags) Chosen() ([]tracer.Options, error) {
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

// Team is several devices with the same scene; the first is on the caller's thread until it fails. What one of them was doing when it
// failed, another does.
type Team struct {
	log     *slog.Logger
	Members []*Member // that have not failed
	Asked   bool      // --devices asks for them: then blocks of samples are added up, even by one
}

// Member is one device. All that is done with its job is done on one thread: that of the caller, or of a goroutine of its own.
type Member struct {
	Name string
	Job  *Job
	Do   func(work func()) // runs it there, and waits
	stop func()
}

// OpenTeam loads a scene once, and opens all devices that the flags name.
func (c *SceneFlags) OpenTeam(ctx context.Context, p *Process, flags TeamFlags) (*Team, error) {
	devices, err := flags.Chosen()
	if err != nil {
		return nil, err
	}
	if len(devices) == 0 {
		j, err := c.Open(ctx, p, c.Scene)
		if err != nil {
			return nil, err
		}
		m := newMember(j, tracer.Options{})
		m.Name = j.Renderer.Engine().Backend().Device
		return &Team{log: p.Log, Members: []*Member{m}}, nil
	}
	loaded, err := c.load(ctx, p, c.Scene, devices[0])
	if err != nil {
		return nil, err
	}
	t := &Team{log: p.Log, Asked: true}
	for i, o := range devices { // one after the other: they share what was prepared
		m := newMember(loaded, o)
		if i > 0 {
			m.useOwnThread()
		}
		m.Do(func() { err = m.open(p, o) })
		if err != nil {
			m.stop()
			t.Close()
			return nil, fmt.Errorf("--devices: %s: %w", m.Name, err)
		}
		t.Members = append(t.Members, m)
		if ctx.Err() != nil {
			t.Close()
			return nil, interrupt.NothingYet(ctx)
		}
	}
	return t, nil
}

// newMember is a device on the caller's thread.
func newMember(loaded *Job, o tracer.Options) *Member {
	own := *loaded
	m := &Member{Name: device.KindCPU, Job: &own, Do: func(work func()) { work() }, stop: func() {}}
	if o.Backend == device.KindCUDA {
		m.Name = fmt.Sprintf("GPU %d", o.Device)
	}
	return m
}

// useOwnThread gives the device a thread of its own.
func (m *Member) useOwnThread() {
	t := crew.NewThread()
	m.Do, m.stop = t.Do, sync.OnceFunc(t.Close)
}

func (m *Member) open(p *Process, o tracer.Options) error {
	if err := m.Job.openOn(p, o); err != nil {
		return err
	}
	m.Job.Loaded = time.Since(m.Job.Begun)
	announce(p, m.Job)
	return m.Job.Renderer.Engine().EnsureBVH(m.Job.Settings)
}

// Close gives the devices back.
func (t *Team) Close() {
	for _, m := range t.Members {
		m.close()
	}
	t.Members = nil
}

func (m *Member) close() {
	if m.Job.Renderer != nil {
		m.Do(m.Job.Close)
	}
	m.stop()
}

// First does something with a device that has not failed.
func (t *Team) First(work func(j *Job) error) (err error) {
	m := t.Members[0]
	m.Do(func() { err = work(m.Job) })
	return err
}

// Each does pieces 0 … count−1 of a work, each on whichever device is free: the faster one is, the more it does. What do returns keeps
// a piece; it is called once for each, and one at a time. A device that fails is dropped, and its piece done by another. When no pieces
// are left, free devices do those again that slower ones are still at, and the first to come is kept: then the work's context ends. Any
// other error ends the work, and so does the context; its error is then the result.
func (t *Team) Each(ctx context.Context, count int, do func(ctx context.Context, m *Member, piece int) (keep func() error,
	err error)) error {
	if count == 0 {
		return nil
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	w := &sharedWork{ctx: working, stop: stop, pieces: make([]pieceState, count), left: count, lost: map[*Member]error{}}
	w.changed.L = &w.mu
	defer context.AfterFunc(working, w.changed.Broadcast)()
	var wait sync.WaitGroup
	for _, m := range t.Members[1:] {
		wait.Go(func() { m.Do(func() { t.work(m, w, do) }) })
	}
	head := t.Members[0]
	head.Do(func() { t.work(head, w, do) })
	wait.Wait()
	var lost []error
	t.Members = slices.DeleteFunc(t.Members, func(m *Member) bool {
		err, failed := w.lost[m]
		if failed {
			lost = append(lost, fmt.Errorf("%s: %w", m.Name, err))
			m.close()
		}
		return failed
	})
	switch {
	case w.failed != nil:
		return w.failed
	case w.left == 0 && len(t.Members) > 0:
		return nil
	case len(t.Members) == 0:
		return fmt.Errorf("all devices have failed: %w", errors.Join(lost...))
	}
	return ctx.Err()
}

// work does pieces until there are none, or the device fails.
func (t *Team) work(m *Member, w *sharedWork, do func(ctx context.Context, m *Member, piece int) (keep func() error, err error)) {
	for {
		piece, ok := w.take()
		if !ok {
			return
		}
		keep, err := do(w.ctx, m, piece)
		if driver.IsDeviceError(err) && len(t.Members) > 1 {
			t.log.Error("a device has failed: others do its work", "device", m.Name, "err", err)
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
	lost    map[*Member]error
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
func (w *sharedWork) end(m *Member, piece int, keep func() error, err error) bool {
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
