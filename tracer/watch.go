package tracer

import "glint/cuda"

// Watch says which frames tell what they cost. Timing needs each launch by itself, counting needs atomics; the frames in
// between are neither timed nor counted, so that they cost what they cost unwatched.
type Watch struct {
	TimeEvery  int // one frame in so many has its launches timed, others are as a whole; 0: none is
	CountEvery int // one frame in so many has its rays and living paths counted; 0: none
}

// watcher adds up what the watched frames of one renderer tell.
type watcher struct {
	Watch
	begun     int      // frames since Watch was changed
	open      bool     // a frame is under way
	sheet     *sheet   // of the last frame begun, where it is timed
	counting  bool     // the last frame begun is counted, and has not been read
	waves     bool     // the last complete frame was traced by the wavefront engine
	filled    []*sheet // of complete frames
	read      Counters // since the image began, when last read
	nonFinite uint64
	sum       sums
}

// sums are what was gathered since it was last asked for.
type sums struct {
	timed, counted int
	paths          uint64             // of the frames timed
	whole          Spread             // ms of frames that were timed as a whole
	wholePaths     uint64             // of these
	entries        [entryCount]Spread // ms
	launches       [entryCount]int
	counters       Counters
	queues         []Queue
}

// Watch changes which frames tell what they cost, beginning with the next one.
func (r *Renderer) Watch(w Watch) {
	if w != r.watch.Watch {
		r.watch.Watch, r.watch.begun = w, 0
	}
}

// due tells whether it is the turn of frame n; counted frames come half a cycle after timed ones, whose time they would add to.
func due(n, every, offset int) bool { return every > 0 && n%every == offset%every }

// begin starts a frame, or goes on with it.
func (w *watcher) begin(d device) {
	if !w.open {
		w.open = true
		w.counting = due(w.begun, w.CountEvery, w.CountEvery/2)
		w.sheet = w.newSheet()
		w.begun++
	}
	d.time(w.sheet)
}

// newSheet is for the frame that begins: whole where it is neither one to be timed launch by launch nor slowed down by
// counting.
func (w *watcher) newSheet() *sheet {
	switch {
	case due(w.begun, w.TimeEvery, 0):
		return &sheet{}
	case w.TimeEvery > 0 && !w.counting:
		return &sheet{whole: true}
	}
	return nil
}

// flag is what the frame's kernels must know.
func (w *watcher) flag() uint32 {
	if w.counting {
		return cuda.FrameStatistics
	}
	return 0
}

// finish ends a frame. The launches that develop it are still its own.
func (w *watcher) finish(f *cuda.Frame) {
	w.open = false
	w.waves = f.Wavefront.PoolSize > 0
	if w.sheet != nil {
		w.sheet.paths = uint64(f.Film.Width) * uint64(f.Film.Height)
	}
}

// forget drops a frame that was left half-way; the device's counters begin at 0 again.
func (w *watcher) forget() {
	w.open, w.sheet, w.counting = false, nil, false
	w.read, w.nonFinite = Counters{}, 0
}

// harvest adds up the frames that are complete.
func (r *Renderer) harvest() error {
	w := &r.watch
	if w.open {
		return nil
	}
	if w.sheet != nil {
		w.filled, w.sheet = append(w.filled, w.sheet), nil
	}
	waiting := w.filled[:0]
	for _, s := range w.filled {
		if s.pending > 0 {
			waiting = append(waiting, s)
			continue
		}
		w.sum.addSheet(s)
	}
	w.filled = waiting
	if !w.counting {
		return nil
	}
	w.counting = false
	return r.readCounted()
}

// readCounted adds what the last frame counted.
func (r *Renderer) readCounted() error {
	c, err := r.Counters()
	if err != nil {
		return err
	}
	queues, err := r.queues()
	if err != nil {
		return err
	}
	w := &r.watch
	w.sum.counted++
	w.sum.counters.add(c, w.read)
	w.sum.queues = addQueues(w.sum.queues, queues, 1)
	w.read, w.nonFinite = c, c.NonFinite
	return nil
}

func (t *sums) addSheet(s *sheet) {
	if s.whole {
		t.whole.add(s.frame)
		t.wholePaths += s.paths
		return
	}
	t.timed++
	t.paths += s.paths
	for e, n := range s.launches {
		if n > 0 {
			t.entries[e].add(s.ms[e])
			t.launches[e] += n
		}
	}
}

// join adds what another renderer's frames tell.
func (t *sums) join(o sums) {
	t.timed += o.timed
	t.counted += o.counted
	t.paths += o.paths
	t.whole.join(o.whole)
	t.wholePaths += o.wholePaths
	for e := range t.entries {
		t.entries[e].join(o.entries[e])
		t.launches[e] += o.launches[e]
	}
	t.counters.add(o.counters, Counters{})
	t.queues = addQueues(t.queues, o.queues, 1)
}
