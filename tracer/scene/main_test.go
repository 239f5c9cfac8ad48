package scene

import (
	"os"
	"syscall"
	"testing"

	"glint/tracer/scene/draco"
)

// crashVariable makes children that decode crash. Children see variables of the dynamic loader alone.
const crashVariable = "LD_TEST_CRASH"

// TestMain lets this program be a child that decodes.
func TestMain(m *testing.M) {
	if draco.IsChild() {
		if os.Getenv(crashVariable) != "" {
			_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		}
		os.Exit(draco.Child())
	}
	os.Exit(m.Run())
}
