package driver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompile(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	code, err := c.Compile([]byte("ok, some text"))
	if err != nil || string(code) != "ok, some text" {
		t.Errorf("%q, %v", code, err)
	}
	if diff := cmp.Diff("link 1 14 kernels\nunlink 0x90\n", f.calls()); diff != "" {
		t.Error(diff)
	}
	if _, err := c.Compile([]byte("bad")); err == nil || !strings.Contains(err.Error(), "unexpected 'bad'") {
		t.Errorf("the compiler's log is missing: %v", err)
	}
	f.calls()
	f.fail("cuLinkComplete", 2)
	if _, err := c.Compile([]byte("ok")); err == nil || !strings.Contains(f.calls(), "unlink") {
		t.Errorf("a linker that failed must be destroyed: %v", err)
	}
}
