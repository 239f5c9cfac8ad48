package driver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompileApart(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	check(t, c.CompileApart([]byte("ok")))
	if diff := cmp.Diff("context apart on 41\nverbose 1\nunload 0x30\ndestroy context 0x90\n", f.calls()); diff != "" {
		t.Error(diff)
	}
	err := c.CompileApart([]byte("bad"))
	if err == nil || !strings.Contains(err.Error(), "unexpected 'bad'") || !strings.Contains(f.calls(), "destroy context") {
		t.Errorf("a context is left, or the compiler's log is missing: %v", err)
	}
}
