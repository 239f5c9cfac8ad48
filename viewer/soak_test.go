package viewer

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/viewer/session"
)

// The soak lets a user who knows nothing play with the window, and watches it.
//
//	GLINT_SOAK=30m go test ./viewer -run TestSoak -v -timeout 40m      (make soak)
//	GLINT_SOAK_SEED=7 ...                                              (the same events again)
//	GLINT_SOAK_PATIENCE=2m ...                                         (on a machine that has much else to do)
const (
	soakBriefly    = 20 * time.Second
	soakLong       = 5 * time.Minute
	soakWarmup     = 3 * time.Minute // memory grows at first: caches fill, and the largest window is met
	soakPatience   = 20 * time.Second
	soakEvery      = 150 // events between two checkpoints
	soakLook       = 3 * time.Second
	soakRemembers  = 50 // events
	soakFileBytes  = 200_000
	soakScenes     = "../../shared/scenes"
	soakWidth      = 480
	soakHeight     = 300
	soakSamples    = 8    // denoised, of the picture at a checkpoint: its preview is gone by then
	soakDrift      = 0.05 // of resident memory, from checkpoint to checkpoint
	soakComparable = 3    // checkpoints at each end whose median is compared
	soakMoreFiles  = 4    // descriptors beyond the first checkpoint's
)

// soakEvent is one thing that the user does.
type soakEvent struct {
	text string // for the log
	keys string // for xdotool
	do   func(a *app)
	rest time.Duration // before the next event
}

// soak is a window under a storm of events.
type soak struct {
	p     *probe
	t     *testing.T
	dice  *rand.Rand
	user  io.Writer     // xdotool, which reads commands
	done  *bufio.Reader // and says a line after each
	files []string      // to drop
	begun time.Time
	log   []string
	trace io.Writer // gets the events, since a crash leaves no time to print them
	quits int

	patience time.Duration // with what the window is waited for

	looked      time.Time
	checkpoints []soakSample
}

// soakSample is what the process holds at a checkpoint.
type soakSample struct {
	at         time.Duration
	resident   int            // bytes
	device     profile.Memory // of these, the scene and its images: they say where to look when resident memory drifts
	heap       uint64
	files      int
	threads    int
	goroutines int
	objects    int // of OpenGL
}

func TestSoak(t *testing.T) {
	length, seed := soakBriefly, uint64(1) // the same events in every push
	if tracertest.Long() {
		length, seed = soakLong, uint64(time.Now().UnixNano())
	}
	if asked := os.Getenv("GLINT_SOAK"); asked != "" {
		var err error
		if length, err = time.ParseDuration(asked); err != nil {
			t.Fatalf("GLINT_SOAK: %v", err)
		}
		seed = uint64(time.Now().UnixNano())
	}
	if asked := os.Getenv("GLINT_SOAK_SEED"); asked != "" {
		var err error
		if seed, err = strconv.ParseUint(asked, 10, 64); err != nil {
			t.Fatalf("GLINT_SOAK_SEED: %v", err)
		}
	}
	s := newSoak(t, seed)
	if asked := os.Getenv("GLINT_SOAK_PATIENCE"); asked != "" {
		var err error
		if s.patience, err = time.ParseDuration(asked); err != nil {
			t.Fatalf("GLINT_SOAK_PATIENCE: %v", err)
		}
		s.p.patience = s.patience
	}
	defer s.report()
	s.loadOIDN()
	s.checkpoint()
	for n := 1; time.Since(s.begun) < length; n++ {
		s.act(s.next())
		if time.Since(s.looked) > soakLook {
			s.look()
		}
		if n%soakEvery == 0 {
			s.checkpoint()
		}
		if n%(soakUndoEvery*soakEvery) == 0 {
			s.undoAll()
		}
	}
	s.undoAll()
	s.checkpoint()
	s.compareMemory()
	if err := s.p.quit(); err != nil {
		t.Errorf("the window closes with %v", err)
	}
}

// newSoak opens the window, and a user for it.
func newSoak(t *testing.T, seed uint64) *soak {
	needDisplay(t)
	shared, _ := filepath.Abs(soakScenes)
	t.Chdir(t.TempDir()) // screenshots are saved here
	s := &soak{t: t, dice: rand.New(rand.NewPCG(seed, 0)), begun: time.Now(), patience: soakPatience, files: soakFiles(t, linkFolder(t, shared))}
	trace, err := os.CreateTemp("", "glint-soak-*.log")
	if err != nil {
		t.Fatal(err)
	}
	s.trace = trace
	fmt.Fprintf(os.Stderr, "soak: GLINT_SOAK_SEED=%d, %d files to drop, events in %s\n", seed, len(s.files), trace.Name())
	t.Cleanup(func() {
		trace.Close()
		if !t.Failed() {
			os.Remove(trace.Name())
		}
	})
	user := exec.Command("xdotool", "-")
	var complaints bytes.Buffer
	user.Stderr = &complaints
	in, err := user.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := user.StdoutPipe()
	if err == nil {
		err = user.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.user, s.done = in, bufio.NewReader(out)
	t.Cleanup(func() {
		in.Close()
		if err := user.Wait(); err != nil || complaints.Len() > 0 {
			t.Errorf("xdotool: %v: %s", err, complaints.String())
		}
	})
	soakDialog(t, s.files[0])
	s.p = openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", soakWidth, soakHeight
		o.Out, o.Scene, o.Path, o.Load = io.Discard, nil, "cornell", soakLoad
		for _, info := range builtin.List() {
			o.Scenes = append(o.Scenes, settings.Choice{Name: info.Name, Help: info.Help})
		}
	})
	s.p.patience = soakPatience
	s.p.do(s.refuseToQuit)
	return s
}

// soakLoad reads what the command line does.
func soakLoad(ctx context.Context, name string, o scene.Options) (*scene.Scene, error) {
	if slices.ContainsFunc(builtin.List(), func(i builtin.Info) bool { return i.Name == name }) {
		return builtin.Make(name, builtin.Options{})
	}
	o.Scene = -1
	return scene.Load(ctx, name, o)
}

// soakFiles are files that a user may drop, good ones and broken ones. The first is good.
func soakFiles(t *testing.T, shared string) []string {
	t.Helper()
	dir := t.TempDir()
	box, err := builtin.Make("box-open", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(dir, "good.glb")
	if err := builtin.WriteGLB(good, box); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	files := []string{good, filepath.Join(dir, "missing.glb"), dir}
	for name, content := range map[string][]byte{
		"cut.glb": whole[:len(whole)/2], "empty.glb": nil, "text.gltf": []byte("{}"), "sky.hdr": []byte("no light"),
		"sky.exr": whole, "notes.txt": []byte("no scene"),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	slices.Sort(files[1:])
	// Small ones: a large file takes minutes of a soak.
	err = filepath.WalkDir(shared, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch info, err := entry.Info(); {
		case err != nil:
			return err
		case session.IsEnvironment(path), slices.Contains([]string{".glb", ".gltf"}, filepath.Ext(path)) && info.Size() < soakFileBytes:
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Logf("without shared scenes: %v", err)
	}
	return files
}

// soakDialog makes a file dialog in which the user always chooses one file.
func soakDialog(t *testing.T, file string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\necho '" + file + "'\n"
	for _, name := range []string{"zenity", "qarma", "matedialog"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// refuseToQuit has the window answer whatever would close it as it does, and stay nevertheless.
func (s *soak) refuseToQuit(a *app) {
	for mode := range session.Modes {
		for t, row := range a.input.keys[mode] {
			refused := *row
			switch row.name {
			case "quit":
				refused.do = func(*app, event) { s.quits++ }
			case "escape":
				refused.do = func(a *app, e event) {
					row.do(a, e)
					a.quitAsked = time.Time{}
				}
			default:
				continue
			}
			a.input.keys[mode][t] = &refused
		}
	}
}

// Keys by their names in X, and what is typed into fields.
const (
	soakKeys = "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 " +
		"minus equal bracketleft bracketright backslash semicolon apostrophe comma period slash grave space Tab BackSpace Home End " +
		"Escape Return Delete Insert Up Down Left Right Prior Next KP_Add KP_Subtract KP_Divide"
	soakHeld  = "w a s d q e Up Down Left Right shift"
	soakTexts = "0 1 -5 1e9 -1e9 nan inf 3.5 1e-30 99999999999999999999 bvh exposure auto zzz %s %n +"
)

// soakActs is what the user may do, and how often.
func (s *soak) acts() []struct {
	weight int
	do     func() soakEvent
} {
	type rows = []struct {
		weight int
		do     func() soakEvent
	}
	xdo := func(keys string) soakEvent { return soakEvent{text: keys, keys: keys} }
	word := func(words string) string { all := strings.Fields(words); return all[s.dice.IntN(len(all))] }
	button := func() string { return word("1 1 1 1 2 3") }
	return rows{
		{30, func() soakEvent { return xdo("key " + s.modifier() + word(soakKeys)) }},
		{10, func() soakEvent { return xdo("mousemove " + s.place()) }},
		{20, func() soakEvent { return xdo("mousemove " + s.place() + " click " + button()) }},
		{3, func() soakEvent { return xdo("mousemove " + s.place() + " click --repeat 2 --delay 60 1") }},
		{10, func() soakEvent {
			b := button()
			return xdo("mousemove " + s.place() + " mousedown " + b + " " + s.move() + " " + s.move() + " mouseup " + b)
		}},
		{6, func() soakEvent { return xdo(s.move()) }},
		{6, func() soakEvent { return xdo("click " + word("4 5")) }},
		{4, func() soakEvent { return xdo("mousemove " + s.place() + " click --repeat 9 --delay 1 " + word("4 5")) }},
		{3, func() soakEvent {
			k := word(soakHeld)
			return xdo("keydown " + k + " sleep 0." + strconv.Itoa(1+s.dice.IntN(4)) + " keyup " + k)
		}},
		{3, func() soakEvent { // ImGui edits the number of a slider that is clicked with Ctrl
			return xdo("mousemove " + s.panelPlace() + " keydown ctrl click 1 keyup ctrl sleep 0.1 type -- " + word(soakTexts))
		}},
		{2, func() soakEvent { return xdo("key ctrl+f sleep 0.1 type -- " + word(soakTexts)) }},
		{3, func() soakEvent { return xdo("key " + word("Return Escape Tab ctrl+q")) }},
		{12, func() soakEvent { return xdo("key " + word(soakAsks)) }},
		{8, s.edit},
		{5, s.command},
		{2, s.dropSaved},
		{2, s.playPad},
		{4, s.letGo},
		{12, s.setSetting},
		{4, s.resize},
		{2, s.drop},
		{1, s.choose},
		{1, func() soakEvent { return soakEvent{text: "pause", rest: 2 * time.Second} }},
	}
}

func (s *soak) next() soakEvent {
	acts, sum := s.acts(), 0
	for _, row := range acts {
		sum += row.weight
	}
	at := s.dice.IntN(sum)
	for _, row := range acts {
		if at -= row.weight; at < 0 {
			e := row.do()
			e.rest += time.Duration(s.dice.IntN(60)) * time.Millisecond
			return e
		}
	}
	return soakEvent{}
}

// modifier is mostly none.
func (s *soak) modifier() string {
	return []string{"", "", "", "", "", "", "shift+", "shift+", "ctrl+", "alt+"}[s.dice.IntN(10)]
}

// place is a point of the screen, mostly of the window, half of the time where the panel is.
func (s *soak) place() string {
	switch s.dice.IntN(20) {
	case 0:
		return fmt.Sprint(s.dice.IntN(1600), " ", s.dice.IntN(1000))
	case 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return s.panelPlace()
	}
	return fmt.Sprint(s.dice.IntN(soakWidth+40), " ", s.dice.IntN(soakHeight+40))
}

func (s *soak) panelPlace() string {
	return fmt.Sprint(20+s.dice.IntN(soakWidth/2), " ", 20+s.dice.IntN(soakHeight-20))
}

func (s *soak) move() string {
	return fmt.Sprint("mousemove_relative -- ", s.dice.IntN(201)-100, " ", s.dice.IntN(121)-60)
}

// setSetting changes a setting by steps, few or many.
func (s *soak) setSetting() soakEvent {
	rows := s.p.app.session.Sides.Table // which nobody writes
	row, by := rows[s.dice.IntN(len(rows))], s.dice.IntN(7)-3
	if s.dice.IntN(8) == 0 {
		by *= 1000
	}
	return soakEvent{text: fmt.Sprintf("setting %s by %d", row.Name, by), do: func(a *app) { a.session.Editor.StepSetting(row.Name, by) }}
}

// resize makes the window a little or much larger or smaller; window managers that tile ask for any size.
func (s *soak) resize() soakEvent {
	w, h := soakWidth-60+s.dice.IntN(121), soakHeight-60+s.dice.IntN(121)
	if s.dice.IntN(8) == 0 {
		w, h = 1+s.dice.IntN(900), 1+s.dice.IntN(600)
	}
	return soakEvent{text: fmt.Sprintf("resize to %d×%d", w, h), do: func(a *app) {
		if a.display.window.GetMonitor() == nil {
			a.display.window.SetSize(w, h)
		}
	}}
}

// drop drops one file or several.
func (s *soak) drop() soakEvent {
	var paths []string
	for range 1 + s.dice.IntN(2) {
		paths = append(paths, s.files[s.dice.IntN(len(s.files))])
	}
	return soakEvent{text: fmt.Sprintf("drop %q", paths), do: func(a *app) {
		a.input.events = append(a.input.events, func() { a.session.Loader.Drop(paths, false) })
	}}
}

// choose takes a built-in scene or environment, as from a list of the panel.
func (s *soak) choose() soakEvent {
	if s.dice.IntN(2) == 0 {
		all := session.Environments()
		spec := all[s.dice.IntN(len(all))].Value
		return soakEvent{text: "environment " + spec, do: func(a *app) { a.session.Loader.OpenEnvironment(spec) }}
	}
	small := slices.DeleteFunc(builtin.List(), func(i builtin.Info) bool { return i.Triangles > 100_000 })
	name := small[s.dice.IntN(len(small))].Name
	return soakEvent{text: "scene " + name, do: func(a *app) { a.session.Loader.Open(name) }}
}

// act does what the user does, and sees that the window answers.
func (s *soak) act(e soakEvent) {
	line := fmt.Sprintf("%8.3f %s", time.Since(s.begun).Seconds(), e.text)
	fmt.Fprintln(s.trace, line)
	s.log = append(s.log[max(len(s.log)-soakRemembers+1, 0):], line)
	s.xdo(e.keys)
	s.do(func(a *app) {
		if e.do != nil {
			e.do(a)
		}
	})
	time.Sleep(e.rest)
}

// xdo has xdotool play the user, and waits until it has: it says where the mouse is.
func (s *soak) xdo(keys string) {
	s.t.Helper()
	if keys == "" {
		return
	}
	fmt.Fprintln(s.user, keys+"\ngetmouselocation")
	if _, err := s.done.ReadString('\n'); err != nil {
		s.t.Fatalf("xdotool ends after %q: %v", keys, err)
	}
	s.do(func(*app) {}) // the window has the events, and answers them in the next frame
}

// do is probe.do, and the window must not have closed.
func (s *soak) do(what func(a *app)) {
	s.t.Helper()
	if !s.p.do(what) {
		s.t.Fatalf("the window has closed by itself: %v", <-s.p.err)
	}
}

// look sees that the picture is made of numbers, and that OpenGL has nothing to complain of.
func (s *soak) look() {
	s.t.Helper()
	s.looked = time.Now()
	s.do(func(a *app) {
		if code := gl.GetError(); code != gl.NO_ERROR {
			s.t.Errorf("GL error %#x", code)
		}
		for _, side := range a.session.Sides.Sides {
			if side.Stats.Samples == 0 {
				continue
			}
			film, err := side.Device.Radiance()
			if err != nil {
				s.t.Errorf("side %s: %v", side.Name, err)
				continue
			}
			if bad := notFinite(film.Pix); bad > 0 {
				s.t.Errorf("side %s: %d values of the radiance are not finite (%s)", side.Name, bad, settings.Flags(a.session.Sides.Table, side.Settings))
			}
		}
		if c := a.session.Stage.Camera.Camera; notFinite(append(c.Eye[:], c.Target[:]...))+notFinite(c.Up[:]) > 0 {
			s.t.Errorf("the camera is %+v", c)
		}
	})
	if s.t.Failed() {
		s.t.FailNow()
	}
}

func notFinite[T float32 | float64](values []T) (n int) {
	for _, v := range values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			n++
		}
	}
	return n
}

// loadOIDN has OIDN denoise a picture, where there is OIDN: its library and its threads stay, and are part of what is usual.
func (s *soak) loadOIDN() {
	s.t.Helper()
	there := false
	s.do(func(a *app) {
		a.session.Sides.Active.Settings.Denoise = "oidn"
		if there = a.session.Sides.Active.Device.CheckDenoiser(a.session.Sides.Active.Settings) == nil; !there {
			a.session.Sides.Active.Settings.Denoise = "auto"
		}
	})
	if there {
		s.until("OIDN's first picture", func(a *app) bool {
			return a.session.Sides.Active.Stats.Denoised > 0 && a.session.Sides.Active.Stats.Denoiser == "oidn"
		})
	}
}

// rest brings the window back to where it began, so that what it holds can be compared.
func (s *soak) rest() {
	s.t.Helper()
	s.xdo("keyup shift keyup ctrl keyup alt mouseup 1 mouseup 2 mouseup 3 mousemove 700 700")
	s.do(func(a *app) {
		if a.display.window.GetMonitor() != nil {
			a.toggleFullscreen()
		}
		a.display.window.SetSize(soakWidth, soakHeight)
		a.display.window.Focus()
		a.hud.CloseTop()
		s.tidy(a)
		a.session.Sides.CloseSplit()
		a.session.Sides.Compare = session.NewCompare()
		a.input.release()
		a.setMode(session.Orbit)
		a.overlay.showPanel, a.overlay.showKeys, a.overlay.page = true, false, session.NoPage
		a.hud.Unfold(nil)
		a.session.Sides.Active.Settings = settings.Defaults()
		a.session.Loader.OpenEnvironment("")
		a.session.Loader.Request(session.Request{Path: "cornell"})
	})
	s.until("the first scene", func(a *app) bool {
		return a.session.Loader.Loading == nil && len(a.session.Loader.Pending) == 0 && a.session.Stage.Shown.Scene.Name == "cornell" && pictureOf(a.session.Sides.Active).width == soakWidth && pictureOf(a.session.Sides.Active).height == soakHeight &&
			a.session.Sides.Active.Stats.Denoised >= soakSamples && a.session.Sides.Active.Stats.Background == ""
	})
	s.until("no list and no search", func(a *app) bool { return !a.hud.CloseTop() })
	saved, _ := filepath.Glob("*")
	for _, file := range saved {
		os.Remove(file)
	}
}

// until waits for a state of the window.
func (s *soak) until(what string, holds func(a *app) bool) {
	s.t.Helper()
	var ok bool
	for end := time.Now().Add(s.patience); !ok && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.do(func(a *app) { ok = holds(a) })
	}
	if ok {
		return
	}
	var state string
	s.do(func(a *app) {
		state = fmt.Sprintf("%s at %d×%d after %d samples, %d of them denoised (background: %q)", a.session.Stage.Shown.Scene.Name, pictureOf(a.session.Sides.Active).width, pictureOf(a.session.Sides.Active).height, a.session.Sides.Active.Stats.Samples,
			a.session.Sides.Active.Stats.Denoised, a.session.Sides.Active.Stats.Background)
		if a.session.Loader.Loading != nil {
			stage, fraction := a.session.Loader.Loading.State()
			state += fmt.Sprintf(", loading %s: %s %.2f", a.session.Loader.Loading.Name(), stage, fraction)
		}
		state += fmt.Sprintf(", waiting %v, list %v, search %q (%v), %v", a.session.Loader.Pending, a.hud.Lists, a.hud.Search, a.hud.Searching, a.session.Messages)
	})
	s.t.Fatalf("waited in vain for %s; the window shows %s", what, state)
}

// checkpoint measures what the process holds while the window shows what it showed at first.
func (s *soak) checkpoint() {
	s.t.Helper()
	s.rest()
	s.look()
	sample := soakSample{goroutines: runtime.NumGoroutine()}
	s.until("a sample that keeps first hits", func(a *app) bool { // all at once, so that the window takes no memory meanwhile
		statistics, err := a.session.Sides.Active.Device.Statistics()
		if err != nil {
			s.t.Error(err)
			return true
		}
		if sample.device = statistics.Memory; sample.device.Hits == 0 {
			return false // they are kept once guides are made: megabytes that come and go with the denoiser
		}
		for range 2 { // what finalizers free is collected the second time
			runtime.GC()
		}
		debug.FreeOSMemory()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		sample.at, sample.heap, sample.objects = time.Since(s.begun), memory.HeapAlloc, a.objects()
		sample.resident = resident(&memory)
		return true
	})
	sample.files, sample.threads = entries("/proc/self/fd"), entries("/proc/self/task")
	s.checkpoints = append(s.checkpoints, sample)
	fmt.Fprintf(s.trace, "checkpoint %v\n%+v\n", sample, sample.device)
	s.t.Log(sample)
	first := s.checkpoints[0]
	if sample.objects != first.objects {
		s.t.Errorf("%d GL objects, there were %d", sample.objects, first.objects)
	}
	if sample.files > first.files+soakMoreFiles {
		s.t.Errorf("%d descriptors are open, there were %d", sample.files, first.files)
	}
}

func (m soakSample) String() string {
	return fmt.Sprintf("%4.0f s: %.1f MB resident, of which %.1f MB scene and image, %.1f MB Go's heap, %d descriptors, %d threads, %d goroutines, %d GL objects",
		m.at.Seconds(), float64(m.resident)/1e6, float64(m.device.Device())/1e6, float64(m.heap)/1e6, m.files, m.threads, m.goroutines, m.objects)
}

// resident is the memory that the process holds, bytes; 0 where the system does not tell. Pages of files (libraries, the program itself) do
// not count: the system takes them back when others need memory. Nor does Go's free memory: megabytes
// of it stay now and then, since FreeOSMemory passes over pieces of the heap that the runtime gives back in the background.
func resident(memory *runtime.MemStats) int {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var all, pages, ofFiles int
	if _, err := fmt.Sscan(string(statm), &all, &pages, &ofFiles); err != nil {
		return 0
	}
	return (pages-ofFiles)*os.Getpagesize() - int(memory.HeapIdle-memory.HeapReleased)
}

// entries counts what is in a directory.
func entries(dir string) int {
	all, _ := os.ReadDir(dir)
	return len(all)
}

// compareMemory compares the last checkpoints with the first after the warmup.
func (s *soak) compareMemory() {
	warm := slices.DeleteFunc(slices.Clone(s.checkpoints), func(m soakSample) bool { return m.at < soakWarmup })
	if len(warm) < 2*soakComparable {
		s.t.Logf("too short to tell whether memory grows")
		return
	}
	median := func(of []soakSample, what func(soakSample) int) int {
		var all []int
		for _, m := range of {
			all = append(all, what(m))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	usual := float64(median(warm, func(m soakSample) int { return m.resident }))
	for _, m := range warm {
		if math.Abs(float64(m.resident)-usual) > soakDrift*usual {
			s.t.Errorf("after %.0f s %.1f MB are resident, usually %.1f MB are: %+v", m.at.Seconds(), float64(m.resident)/1e6, usual/1e6, m.device)
		}
	}
	early, late := warm[:soakComparable], warm[len(warm)-soakComparable:]
	for name, what := range map[string]func(soakSample) int{
		"threads": func(m soakSample) int { return m.threads }, "goroutines": func(m soakSample) int { return m.goroutines },
	} {
		if was, is := median(early, what), median(late, what); is > was+was/4+2 {
			s.t.Errorf("%d %s, there were %d", is, name, was)
		}
	}
}

// report prints the last events of a soak that failed.
func (s *soak) report() {
	if s.t.Failed() {
		s.t.Logf("the last events:\n%s", strings.Join(s.log, "\n"))
		return
	}
	s.t.Logf("%d requests to quit were refused", s.quits)
}
