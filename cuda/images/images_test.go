package images

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// some are images like the real ones, in small.
func some() []Image {
	return []Image{
		{"sm_75", []byte("turing")}, {"sm_80", []byte("ampere")}, {"sm_86", bytes.Repeat([]byte("ampere too "), 1e5)},
		{"compute_75", []byte(".version 8.1")},
	}
}

func mustPack(t *testing.T, images []Image) Archive {
	t.Helper()
	a, err := Pack(Manifest{Sources: "0123abcd", Compilers: "4567"}, images)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPackedImagesComeBack(t *testing.T) {
	a := mustPack(t, some())
	if again := mustPack(t, some()); !bytes.Equal(a, again) {
		t.Error("the same images gave other bytes")
	}
	got, err := a.Manifest()
	want := Manifest{Sources: "0123abcd", Compilers: "4567", Targets: []Target{"sm_75", "sm_80", "sm_86", "compute_75"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, want := range some() {
		got, err := a.take(func([]Target) (Target, error) { return want.Target, nil })
		if err != nil || got.Target != want.Target || !bytes.Equal(got.Data, want.Data) {
			t.Errorf("%s: %s with %d bytes, want %d: %v", want.Target, got.Target, len(got.Data), len(want.Data), err)
		}
	}
	if got, err := a.PTX(); err != nil || string(got.Data) != ".version 8.1" || !got.Target.IsPTX() {
		t.Errorf("PTX: %s, %q, %v", got.Target, got.Data, err)
	}
	if got, err := a.For(8, 0); err != nil || string(got.Data) != "ampere" || got.Target.IsPTX() {
		t.Errorf("8.0: %s, %q, %v", got.Target, got.Data, err)
	}
}

// Turing's instructions stay as they are; newer GPUs get those that replace them, and the rest of the text.
func TestNewerGPUsHaveNewerInstructions(t *testing.T) {
	const ptx = ".target sm_75\nadd.s32 a, b, c;\n/*sm_75*/st.shared.b32 [a], b;\n//sm_80 cp.async.wait_all;\n"
	const ampere = ".target sm_80\nadd.s32 a, b, c;\n//st.shared.b32 [a], b;\ncp.async.wait_all;\n"
	for _, c := range []struct {
		target Target
		want   string
	}{{"compute_75", ptx}, {"sm_75", ptx}, {"sm_80", ampere}, {"sm_120", ampere}} {
		if got, err := c.target.Instructions([]byte(ptx)); err != nil || string(got) != c.want {
			t.Errorf("%s: %q: %v", c.target, got, err)
		}
	}
	if _, err := Target("turing").Instructions([]byte(ptx)); err == nil {
		t.Error("instructions of no GPU")
	}
}

func TestBestTarget(t *testing.T) {
	targets := []Target{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "compute_75", "sm_120"}
	for _, c := range []struct {
		major, minor int
		want         Target
	}{
		{7, 0, "compute_75"}, {7, 5, "sm_75"}, {8, 0, "sm_80"}, {8, 6, "sm_86"}, {8, 7, "sm_86"}, {8, 9, "sm_89"},
		{9, 0, "sm_90"}, {10, 0, "compute_75"}, {12, 0, "sm_120"}, {12, 1, "sm_120"}, {13, 0, "compute_75"},
	} {
		if got, err := best(targets, c.major, c.minor); got != c.want || err != nil {
			t.Errorf("%d.%d: %s, want %s: %v", c.major, c.minor, got, c.want, err)
		}
	}
	if got, err := best([]Target{"sm_90"}, 8, 0); err == nil {
		t.Errorf("8.0 got %s", got)
	}
}

func TestPackRefusesWhatIsNoTarget(t *testing.T) {
	for _, target := range []Target{"", "75", "sm_", "sm_9", "sm_9x", "compute_", "compute_-75", "compute75"} {
		if _, err := Pack(Manifest{}, []Image{{Target: target}}); err == nil || !strings.Contains(err.Error(), "is no target") {
			t.Errorf("%q: %v", target, err)
		}
	}
}

func TestDamagedArchivesAreErrors(t *testing.T) {
	good := mustPack(t, some())
	for _, c := range []struct {
		name    string
		archive Archive
		want    string
	}{
		{"empty", nil, "unpack the kernels"},
		{"cut", good[:len(good)/2], "unpack the kernels"},
		{"other bytes", Archive("no archive at all"), "unpack the kernels"},
		{"no PTX", mustPack(t, some()[:1]), "no PTX"},
	} {
		if _, err := c.archive.PTX(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
