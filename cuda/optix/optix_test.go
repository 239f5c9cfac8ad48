package optix

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/google/go-cmp/cmp"

	"glint/cuda/dynlib"
)

//go:embed testdata/fakeoptix.c
var fakeSource []byte

// fake is a stand-in for libnvoptix that writes down what it is asked.
type fake struct {
	path      string
	calls     func() string
	fail      func(call string, result int32)
	reset     func()
	know      func(abi int32)
	miss      func(call string)
	wrongSize func(on int32)
}

// buildLibrary compiles C to a shared library.
func buildLibrary(t *testing.T, source []byte) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc to build a stand-in for libnvoptix: ", err)
	}
	dir := t.TempDir()
	c, library := filepath.Join(dir, "optix.c"), filepath.Join(dir, "libnvoptix.so.1")
	if err := os.WriteFile(c, source, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-shared", "-fPIC", "-o", library, c).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return library
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{path: buildLibrary(t, fakeSource)}
	library, err := dynlib.Open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, function := range map[string]any{"fakeCalls": &f.calls, "fakeFail": &f.fail, "fakeReset": &f.reset, "fakeKnow": &f.know,
		"fakeMiss": &f.miss, "fakeWrongSize": &f.wrongSize} {
		address, err := library.Symbol(name)
		if err != nil {
			t.Fatal(err)
		}
		purego.RegisterFunc(function, address)
	}
	return f
}

// What calls read must lie where the library reads it.
func TestStructs(t *testing.T) {
	var (
		c  contextOptions
		m  moduleOptions
		p  pipelineOptions
		l  linkOptions
		g  groupDescription
		b  bindingTable
		tr triangleInput
		in instanceInput
		i  Instance
		o  buildOptions
		e  emitted
	)
	for name, row := range map[string][2]uintptr{
		"context options":     {unsafe.Sizeof(c), 24},
		"context level":       {unsafe.Offsetof(c.level), 16},
		"module options":      {unsafe.Sizeof(m), 48},
		"module bound":        {unsafe.Offsetof(m.bound), 16},
		"module payloads":     {unsafe.Offsetof(m.payloads), 32},
		"module base":         {unsafe.Offsetof(m.base), 40},
		"pipeline options":    {unsafe.Sizeof(p), 56},
		"pipeline graph":      {unsafe.Offsetof(p.graph), 4},
		"pipeline payload":    {unsafe.Offsetof(p.payload), 8},
		"pipeline attributes": {unsafe.Offsetof(p.attributes), 12},
		"pipeline params":     {unsafe.Offsetof(p.params), 24},
		"pipeline rest":       {unsafe.Offsetof(p.rest), 32},
		"link options":        {unsafe.Sizeof(l), 20},
		"group":               {unsafe.Sizeof(g), 56},
		"group name":          {unsafe.Offsetof(g.name), 16},
		"group any hit":       {unsafe.Offsetof(g.anyHit), 24},
		"group intersection":  {unsafe.Offsetof(g.intersection), 40},
		"stack sizes":         {unsafe.Sizeof(stackSizes{}), 28},
		"binding table":       {unsafe.Sizeof(b), 64},
		"binding miss":        {unsafe.Offsetof(b.miss), 16},
		"binding hit":         {unsafe.Offsetof(b.hit), 32},
		"binding callables":   {unsafe.Offsetof(b.callables), 48},
		"triangles":           {unsafe.Sizeof(tr), 1032},
		"triangles vertices":  {unsafe.Offsetof(tr.vertices), 8},
		"triangles stride":    {unsafe.Offsetof(tr.stride), 8 + 16},
		"triangles indices":   {unsafe.Offsetof(tr.indices), 8 + 24},
		"triangles matrix":    {unsafe.Offsetof(tr.matrix), 8 + 48},
		"triangles flags":     {unsafe.Offsetof(tr.flags), 8 + 56},
		"triangles records":   {unsafe.Offsetof(tr.records), 8 + 64},
		"triangles recordOf":  {unsafe.Offsetof(tr.recordOf), 8 + 72},
		"triangles last":      {unsafe.Offsetof(tr.matrixFormat), 8 + 92},
		"instances":           {unsafe.Sizeof(in), 1032},
		"instances count":     {unsafe.Offsetof(in.count), 8 + 8},
		"instance":            {unsafe.Sizeof(i), 80},
		"instance id":         {unsafe.Offsetof(i.ID), 48},
		"instance mask":       {unsafe.Offsetof(i.Mask), 56},
		"instance tree":       {unsafe.Offsetof(i.Tree), 64},
		"build options":       {unsafe.Sizeof(o), 20},
		"build begin":         {unsafe.Offsetof(o.begin), 12},
		"sizes":               {unsafe.Sizeof(Sizes{}), 24},
		"emitted":             {unsafe.Sizeof(e), 16},
	} {
		if row[0] != row[1] {
			t.Errorf("%s: %d, want %d", name, row[0], row[1])
		}
	}
}

// Whatever the library is, opening says so in words.
func TestOpenSaysWhatIsWrong(t *testing.T) {
	f := newFake(t)
	folder := t.TempDir()
	text := filepath.Join(folder, "libnvoptix.so.1")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		set        func()
		kind       error
		words      string
	}{
		{"none", filepath.Join(folder, "none.so"), nil, ErrNotFound, "NVIDIA driver"},
		{"no library", text, nil, ErrNotFound, "NVIDIA driver"},
		{"without the symbol", buildLibrary(t, []byte("int other(void) { return 1; }\n")), nil, ErrTooOld, "optixQueryFunctionTable"},
		{"older", f.path, func() { f.know(50) }, ErrTooOld, "7.7 to 9.1"},
		{"table of another size", f.path, func() { f.wrongSize(1) }, nil, "7802"},
		{"without a function", f.path, func() { f.miss("launch") }, ErrBadAnswer, "optixLaunch"},
	} {
		f.reset()
		if c.set != nil {
			c.set()
		}
		_, err := Open(c.path)
		if err == nil || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// run does all that there is to do.
func run(f *fake) error {
	l, err := Open(f.path)
	if err != nil {
		return err
	}
	c, err := l.NewContext()
	if err != nil {
		return err
	}
	if cores, err := c.RTCores(); err != nil || cores != 30 {
		return fmt.Errorf("RT cores %d: %w", cores, err)
	}
	m, err := c.NewModule([]byte("// PTX"), "frame", 1392)
	if err != nil {
		return err
	}
	p, err := m.NewPipeline("extend_paths")
	if err != nil {
		return err
	}
	records, err := p.Records(2)
	if err != nil {
		return err
	}
	for i, group := range []byte{0x41, 0x41, 0x42, 0x44, 0x45} { // of raygen twice, miss, surface, candidates
		if r := records[i*RecordSize:]; r[0] != group || r[31] != group || r[32] != byte(i) {
			return fmt.Errorf("record %d is % x", i, r[:RecordSize])
		}
	}
	in := Triangles(0xa000, 9, 64, 0xb000, 3, true)
	if sizes, err := c.TreeSizes(in, Lasting); err != nil || sizes != (Sizes{1000, 500, 100}) {
		return fmt.Errorf("sizes %v: %w", sizes, err)
	}
	tree, err := c.Build(0x99, in, Lasting, TreeMemory{0xc000, 500}, TreeMemory{0xd000, 1000}, 0xe000)
	if err != nil {
		return err
	}
	if _, err := c.Compact(0x99, tree, TreeMemory{0xf000, 600}); err != nil {
		return err
	}
	if _, err := c.Build(0x99, Instances(0x1230, 4), Passing, TreeMemory{}, TreeMemory{}, 0); err != nil {
		return err
	}
	if err := p.Launch(0x99, 0xaaa0, 0x10000, 2, 1, 77); err != nil {
		return err
	}
	return errors.Join(p.Close(), m.Close(), c.Close())
}

func TestCalls(t *testing.T) {
	f := newFake(t)
	for _, version := range abis {
		f.reset()
		f.know(int32(version.number))
		if err := run(f); err != nil {
			t.Errorf("OptiX %s: %v", version.version, err)
		}
		size := 0
		if version.sizedParams {
			size = 1392
		}
		want := strings.TrimLeft(strings.ReplaceAll(fmt.Sprintf(`
contextCreate (nil)
getProperty 20 2005 4
moduleCreate 20 // P 6 graph 3 payload 5 attributes 2 frame %d kinds 80000000
groupCreate 20 2421 30 __raygen__extend_paths -
groupCreate 20 2422 30 __miss__nothing -
groupCreate 20 2424 30 __closesthit__surface __anyhit__coverage
groupCreate 20 2424 0 - __anyhit__candidates
pipelineCreate 20 depth 1 41 42 44 45 4
groupStackSize 41
groupStackSize 42
groupStackSize 44
groupStackSize 45
pipelineSetStackSize 50 0 0 %d 2
packHeader
packHeader
packHeader
packHeader
packHeader
treeMemory 20 flags 6 operation 2161 kind 2141
treeBuild 99 vertices a000 9 2121 64 indices b000 3 2103 12 flags 1 records 1 into d000 1000 with c000 500 emit 1 e000 2181
treeCompact 70 into f000 600
treeBuild 99 instances 1230 4 flags 8 emit 0
launch 50 99 params aaa0 1392 raygen 10030 miss 10060 48 1 hit 10090 48 2 size 77 1 1
pipelineDestroy 50
groupDestroy 41
groupDestroy 42
groupDestroy 44
groupDestroy 45
moduleDestroy 30
contextDestroy 20
`, size, 16+256+128), "\r", ""), "\n")
		if diff := cmp.Diff(want, f.calls()); diff != "" {
			t.Errorf("OptiX %s: %s", version.version, diff)
		}
	}
}

// Each call may fail: the error names the function and gives the library's words.
func TestFailingCalls(t *testing.T) {
	f := newFake(t)
	for call, name := range map[string]string{
		"contextCreate": "optixDeviceContextCreate", "getProperty": "optixDeviceContextGetProperty", "moduleCreate": "optixModuleCreate",
		"groupCreate": "optixProgramGroupCreate", "groupStackSize": "optixProgramGroupGetStackSize", "pipelineCreate": "optixPipelineCreate",
		"pipelineSetStackSize": "optixPipelineSetStackSize", "packHeader": "optixSbtRecordPackHeader", "treeMemory": "optixAccelComputeMemoryUsage",
		"treeBuild": "optixAccelBuild", "treeCompact": "optixAccelCompact", "launch": "optixLaunch", "pipelineDestroy": "optixPipelineDestroy",
		"groupDestroy": "optixProgramGroupDestroy", "moduleDestroy": "optixModuleDestroy", "contextDestroy": "optixDeviceContextDestroy",
	} {
		f.reset()
		f.fail(call, 7200)
		err := run(f)
		var e *Error
		if !errors.As(err, &e) || e.Call != name || e.Result != 7200 || e.Name != "FAKE_INVALID_PTX" || !strings.Contains(e.Text, "asked to fail") {
			t.Errorf("%s: %v", call, err)
		}
		if call == "moduleCreate" && !strings.Contains(err.Error(), "line 1: nonsense") {
			t.Errorf("what the compiler says is lost: %v", err)
		}
	}
	f.reset()
	f.fail("null", 0)
	if err := run(f); !errors.Is(err, ErrBadAnswer) {
		t.Errorf("no handle: %v", err)
	}
}
