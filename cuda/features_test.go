package cuda_test

import (
	"bytes"
	"testing"

	"glint/cuda"
)

// What a scene lacks must get into the text, everywhere and nowhere else.
func TestPTXKnowsWhatASceneLacks(t *testing.T) {
	for _, capability := range []int{75, 90} {
		const some, other = 123454321, 987656789
		ptx := cuda.PTX(capability, some)
		if n := bytes.Count(ptx, []byte("123454321")); n < 10 {
			t.Errorf("PTX %d asks %d times what the scene lacks", capability, n)
		}
		for i, line := range bytes.Split(ptx, []byte("\n")) {
			if bytes.Contains(line, []byte("123454321")) && !bytes.Contains(line, []byte("mov.u32")) {
				t.Errorf("PTX %d, line %d: the mark stands for something else: %s", capability, i+1, line)
			}
		}
		if changed := cuda.PTX(capability, other); !bytes.Equal(bytes.ReplaceAll(ptx, []byte("123454321"), []byte("987656789")), changed) {
			t.Errorf("PTX %d differs in more than what the scene lacks", capability)
		}
	}
}
