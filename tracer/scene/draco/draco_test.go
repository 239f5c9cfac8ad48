package draco

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets this program be a child; the faults of some are planted.
func TestMain(m *testing.M) {
	if os.Getenv(asParent) != "" {
		waitForChild()
	}
	if IsChild() {
		if len(os.Args) > 3 {
			fail(os.Args[3])
		}
		os.Exit(Child())
	}
	os.Exit(m.Run())
}

// asParent makes this program a parent that a test kills.
const asParent = "GLINT_TEST_PARENT"

// waitForChild has a child that does not end work, and prints its number.
func waitForChild() {
	d := NewDecoder(1 << 30)
	d.extra = []string{"spin"}
	if err := d.start(); err != nil {
		panic(err)
	}
	_ = (Request{Data: []byte("DRACO"), Vertices: 3, Triangles: 1}).write(d.child.input)
	fmt.Println(d.child.command.Process.Pid)
	time.Sleep(time.Hour)
}

// fail does what a decoder must not.
func fail(how string) {
	endWithParent()
	switch how {
	case "stop":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "crash":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
	case "silent":
		os.Exit(0)
	case "garbage":
		_, _ = os.Stdout.Write(bytes.Repeat([]byte("no answer "), 1000))
	case "deaf":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "short":
		_, _ = os.Stdout.Write(words(nil, magic, 0, 1, 2, 3))
		os.Exit(0)
	}
	seconds, err := strconv.ParseUint(os.Args[2], 10, 32)
	if errors.Join(err, confine(1<<30, seconds)) != nil {
		os.Exit(9)
	}
	_, _ = readRequest(os.Stdin)
	switch how {
	case "spin":
		for n := uint32(1); n != 0; n |= 1 {
		}
	case "greedy":
		var all [][]byte
		for {
			all = append(all, make([]byte, 64<<20))
			for i := 0; i < 64<<20; i += 4096 {
				all[len(all)-1][i] = 1
			}
		}
	case "open":
		_, opened := os.Open("/etc/hostname")
		_, connected := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		started := exec.Command("/bin/true").Run()
		killed := syscall.Kill(os.Getppid(), 0)
		if opened != nil && connected != nil && started != nil && killed != nil {
			_ = writeAnswer(os.Stdout, Mesh{}, errors.New("nothing can be done"))
		}
	}
	os.Exit(0)
}

// mesh is a row of testdata/meshes.json, which Draco's encoder made and its decoder decoded.
type mesh struct {
	Name                string
	Data                []byte
	Vertices, Triangles int
	Indices             string // a hash
	Attributes          []struct {
		ID         uint32
		Component  Component
		Components int
		SHA256     string
	}
}

func (m mesh) request() Request {
	r := Request{Data: m.Data, Vertices: m.Vertices, Triangles: m.Triangles}
	for _, a := range m.Attributes {
		r.Attributes = append(r.Attributes, Attribute{a.ID, a.Component, a.Components})
	}
	return r
}

func readMeshes(t testing.TB) (meshes []mesh) {
	t.Helper()
	if !Available {
		t.Skip("this build has no decoder")
	}
	data, err := os.ReadFile("testdata/meshes.json")
	if err == nil {
		err = json.Unmarshal(data, &meshes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return meshes
}

func newTestDecoder(t testing.TB, extra ...string) *Decoder {
	d := NewDecoder(1 << 30)
	if d.extra = extra; slices.Contains(extra, "spin") {
		d.seconds = 1
	}
	t.Cleanup(d.Close)
	return d
}

func TestDecodeEqualsDraco(t *testing.T) {
	d := newTestDecoder(t)
	for _, m := range readMeshes(t) {
		got, err := d.Decode(context.Background(), m.request())
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if hash(got.Indices) != m.Indices {
			t.Errorf("%s: other indices", m.Name)
		}
		for i, a := range m.Attributes {
			if hash(got.Attributes[i]) != a.SHA256 {
				t.Errorf("%s: other values of attribute %d", m.Name, a.ID)
			}
		}
	}
	if d.child == nil {
		t.Error("no child is left for more")
	}
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// TestRefusals: what is wrong with a mesh is told in words, and the child goes on.
func TestRefusals(t *testing.T) {
	d := newTestDecoder(t)
	m := readMeshes(t)[3]
	if _, err := d.Decode(context.Background(), m.request()); err != nil {
		t.Fatal(err)
	}
	first := d.child
	for words, change := range map[string]func(r *Request){
		"its accessors say 7 in":             func(r *Request) { r.Vertices = 7 },
		"in 5":                               func(r *Request) { r.Triangles = 5 },
		"it has no attribute 99":             func(r *Request) { r.Attributes[1].ID = 99 },
		"has 3 components":                   func(r *Request) { r.Attributes[0].Components = 2 },
		"it cannot be decoded":               func(r *Request) { r.Data = r.Data[:40] },
		"it holds no triangles":              func(r *Request) { r.Data = []byte("DRAC") },
		"an attribute of 5 numbers":          func(r *Request) { r.Attributes[0].Components = 5 },
		"numbers of type 5124":               func(r *Request) { r.Attributes[0].Component = 5124 },
		"0 bytes of data":                    func(r *Request) { r.Data = nil },
		"81 vertices in 134217729 triangles": func(r *Request) { r.Triangles = mostElements + 1 },
	} {
		r := m.request()
		change(&r)
		if _, err := d.Decode(context.Background(), r); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("want %q, got %v", words, err)
		}
	}
	if d.child != first {
		t.Error("another child was started")
	}
}

// TestFaults: whatever a child does, it is an error in time, and the next mesh is decoded.
func TestFaults(t *testing.T) {
	m := readMeshes(t)[0]
	for how, words := range map[string]string{
		"crash": "broke down", "silent": "broke down", "short": "broke down", "deaf": "broke down", "garbage": "makes no sense", "spin": "took too long",
		"greedy": "broke down", "open": "nothing can be done",
	} {
		d := newTestDecoder(t, how)
		begun := time.Now()
		_, err := d.Decode(context.Background(), m.request())
		if err == nil || !strings.Contains(err.Error(), words) || time.Since(begun) > 10*time.Second {
			t.Errorf("%s: %v after %v", how, err, time.Since(begun))
		}
		d.extra = nil
		if how != "open" && d.child != nil {
			t.Errorf("%s: the child is kept", how)
		}
		d.Close()
		if _, err := d.Decode(context.Background(), m.request()); err != nil {
			t.Errorf("after %s: %v", how, err)
		}
	}
}

// TestStoppedChild: one that a signal has stopped is given up on.
func TestStoppedChild(t *testing.T) {
	m := readMeshes(t)[0]
	d := newTestDecoder(t, "stop")
	if d.wait > 20*time.Second {
		t.Errorf("an answer may take %v", d.wait)
	}
	d.wait = time.Second
	if _, err := d.Decode(t.Context(), m.request()); err == nil || !strings.Contains(err.Error(), "took too long") {
		t.Error(err)
	}
}

// TestChildEndsWithItsParent: a child that works ends when its parent is killed.
func TestChildEndsWithItsParent(t *testing.T) {
	if !Available {
		t.Skip("this build has no decoder")
	}
	parent := exec.Command("/proc/self/exe")
	parent.Env = append(os.Environ(), asParent+"=1")
	out, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	state := func() string { // Z has ended
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		if err != nil {
			return "Z"
		}
		_, after, _ := strings.Cut(string(text), ") ")
		return after[:1]
	}
	time.Sleep(500 * time.Millisecond) // it is at work
	if s := state(); s != "R" && s != "S" {
		t.Fatalf("the child's state is %s before", s)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for range 100 {
		if state() == "Z" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = syscall.Kill(child, syscall.SIGKILL)
	t.Error("the child works on")
}

// TestStartNeedsNoFolder: the folder of temporary files need not be there.
func TestStartNeedsNoFolder(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent/folder")
	m := readMeshes(t)[0]
	if _, err := newTestDecoder(t).Decode(t.Context(), m.request()); err != nil {
		t.Error(err)
	}
}

// TestTighterLimits: children work under limits that are tighter than their own, which cannot be raised; where one is too tight, it is
// named.
func TestTighterLimits(t *testing.T) {
	if name := os.Getenv(underLimits); name != "" {
		_, err := newTestDecoder(t).Decode(t.Context(), readMeshes(t)[0].request())
		fmt.Println("decoded:", err)
		return
	}
	readMeshes(t)
	for limits, want := range map[string]string{"-v 3145728": "<nil>", "-d 1000000": "<nil>", "-t 10": "<nil>", "-f 0": "<nil>", "-c 0": "<nil>"} {
		command := exec.Command("/bin/sh", "-c", "ulimit "+limits+"; exec /proc/$$/fd/3 -test.run=TestTighterLimits -test.v")
		program, err := os.Open("/proc/self/exe")
		if err != nil {
			t.Fatal(err)
		}
		command.ExtraFiles = []*os.File{program}
		command.Env = append(os.Environ(), underLimits+"=1")
		out, err := command.CombinedOutput()
		program.Close()
		if err != nil || !strings.Contains(string(out), "decoded: "+want) {
			t.Errorf("ulimit %s: %v: %s", limits, err, out)
		}
	}
}

// underLimits tells TestTighterLimits that it runs under some.
const underLimits = "GLINT_TEST_LIMITS"

func TestDecodeIsCancelled(t *testing.T) {
	m := readMeshes(t)[0]
	d := newTestDecoder(t, "spin")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := d.Decode(ctx, m.request()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestOldChildrenAreReplaced: each mesh has time for itself.
func TestOldChildrenAreReplaced(t *testing.T) {
	m := readMeshes(t)[0]
	d := newTestDecoder(t)
	if _, err := d.Decode(context.Background(), m.request()); err != nil {
		t.Fatal(err)
	}
	d.child.worked = childAge
	for range 2 {
		if _, err := d.Decode(context.Background(), m.request()); err != nil {
			t.Fatal(err)
		}
	}
	if d.child.worked >= childAge {
		t.Error("the old child still works")
	}
}

// TestServe: a request is answered as it was sent, also by parts.
func TestServe(t *testing.T) {
	r := Request{Data: []byte("abc"), Vertices: 2, Triangles: 1, Attributes: []Attribute{{7, Uint16, 3}, {9, Int8, 1}}}
	answer := Mesh{Indices: make([]byte, 12), Attributes: [][]byte{bytes.Repeat([]byte{1}, 12), {2, 3}}}
	var sent, received bytes.Buffer
	if err := errors.Join(r.write(&sent), r.write(&sent)); err != nil {
		t.Fatal(err)
	}
	code := serve(io.MultiReader(bytes.NewReader(sent.Bytes()[:9]), bytes.NewReader(sent.Bytes()[9:])), &received, func(got Request) (Mesh, error) {
		if !bytes.Equal(got.Data, r.Data) || !slices.Equal(got.Attributes, r.Attributes) || got.Vertices != 2 || got.Triangles != 1 {
			t.Errorf("%+v, want %+v", got, r)
		}
		return answer, nil
	})
	if code != 0 || int64(received.Len()) != 2*(8+r.Bytes()) {
		t.Errorf("code %d, %d bytes", code, received.Len())
	}
	got, err := r.readAnswer(&received)
	if err != nil || !bytes.Equal(got.Attributes[0], answer.Attributes[0]) || !bytes.Equal(got.Attributes[1], answer.Attributes[1]) {
		t.Errorf("%+v, %v", got, err)
	}
	received.Reset()
	_ = writeAnswer(&received, Mesh{}, errors.New("red \x1b[31m"))
	if _, err := r.readAnswer(&received); err == nil || err.Error() != "red ?[31m" {
		t.Errorf("words from a child: %v", err)
	}
	if code := serve(strings.NewReader("no request, and a long one at that"), io.Discard, nil); code == 0 {
		t.Error("nonsense is taken for a request")
	}
}

// FuzzDecode: whatever the bytes, this process gets a mesh of the size that it expects, or an error.
func FuzzDecode(f *testing.F) {
	meshes := readMeshes(f)
	for _, m := range meshes {
		f.Add(m.Data)
	}
	d := newTestDecoder(f)
	d.seconds = 2 // some streams keep the decoder busy for longer than the fuzzer waits
	f.Fuzz(func(t *testing.T, data []byte) {
		r := meshes[0].request()
		r.Data = data
		got, err := d.Decode(t.Context(), r)
		if err == nil && (len(got.Indices) != 12*r.Triangles || len(got.Attributes) != len(r.Attributes)) {
			t.Fatalf("%d bytes of indices", len(got.Indices))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	m := readMeshes(b)[3]
	b.Run("warm", func(b *testing.B) {
		d := newTestDecoder(b)
		for b.Loop() {
			if _, err := d.Decode(context.Background(), m.request()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			d := newTestDecoder(b)
			if _, err := d.Decode(context.Background(), m.request()); err != nil {
				b.Fatal(err)
			}
			d.Close()
		}
	})
}
