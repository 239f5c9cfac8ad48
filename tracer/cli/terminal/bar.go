package terminal

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar shows progress: a bar on a terminal, a plain line every few seconds elsewhere.
type Bar struct {
	out    *os.File
	total  int
	unit   string // what is counted
	widget *progressbar.ProgressBar
	last   time.Time // line
}

const lineEvery = 5 * time.Second

// NewBar shows how much of a total is done; unit is what is counted.
func NewBar(out *os.File, total int, unit string) *Bar {
	b := &Bar{out: out, total: total, unit: unit, last: time.Now()}
	if term.IsTerminal(int(out.Fd())) {
		b.widget = progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("rendering"),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	return b
}

// Set reports n of them done. Errors of the terminal do not matter.
func (b *Bar) Set(n int) {
	if b.widget != nil {
		_ = b.widget.Set(n)
		return
	}
	if time.Since(b.last) > lineEvery {
		b.last = time.Now()
		fmt.Fprintf(b.out, "%d of %d %s\n", n, b.total, b.unit)
	}
}

// Finish removes the bar.
func (b *Bar) Finish() {
	if b.widget != nil {
		_ = b.widget.Finish()
	}
}
