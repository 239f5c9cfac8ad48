package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/adrg/xdg"

	"glint/cuda"
	"glint/cuda/optix"
	"glint/tracer"
	"glint/tracer/cli/job"
	"glint/tracer/cli/terminal"
	"glint/tracer/oidn"
	"glint/tracer/profile"
)

// doctorCommand is `glint doctor`.
type doctorCommand struct{}

// Run prints every check. Something missing is not an error: glint runs without a GPU, a display or a denoiser.
func (c *doctorCommand) Run(out *job.Process, p *Program) error {
	checks := append([]Check{checkConfig(p.config), checkCPU(), checkCUDA(), checkOptiX()}, p.Checks()...)
	checks = append(checks, checkOIDN(), checkTool("ffmpeg", "needed for video only: install the package ffmpeg"))
	t := tabwriter.NewWriter(out.Stdout, 0, 8, 2, ' ', 0)
	for _, k := range checks {
		mark, text := "ok", k.Detail
		if !k.OK {
			mark, text = "not ok", k.Detail+" — "+k.Fix
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", k.Name, mark, terminal.Line(text))
	}
	return t.Flush()
}

// checkConfig looks at the settings file.
func checkConfig(c *config) Check {
	check := Check{Name: "settings file", OK: len(c.problems) == 0}
	switch {
	case c.path == "":
		check.Detail = "none at " + filepath.Join(xdg.ConfigHome, configPath)
	case check.OK:
		check.Detail = fmt.Sprintf("%s, %d settings", c.path, len(c.values))
		if n := len(c.keys); n > 0 {
			check.Detail += fmt.Sprintf(", keys for %d actions", n)
		}
	default:
		check.Detail, check.Fix = strings.Join(c.problems, "; "), "correct or remove the file"
	}
	return check
}

func checkCPU() Check {
	have := "baseline kernels"
	if cuda.BestVariant() == cuda.V3 {
		have = "AVX2 kernels"
	}
	return Check{Name: "CPU", OK: true, Detail: have}
}

func checkCUDA() Check {
	r, err := tracer.Open(tracer.Options{Backend: "cuda"}, profile.Policy{})
	if err != nil {
		return Check{Name: "CUDA", Detail: err.Error(), Fix: "glint renders on the CPU meanwhile"}
	}
	defer func() { _ = r.Close() }() // it was opened for its name alone
	have := r.Engine().Backend()
	return Check{Name: "CUDA", OK: true, Detail: have.Device + ", kernels: " + have.Kernels}
}

// checkOptiX opens the library, by which --rays hardware traces.
func checkOptiX() Check {
	library, err := optix.Open("")
	if err != nil {
		return Check{Name: "OptiX", Detail: err.Error(), Fix: "rays are traced in software meanwhile"}
	}
	return Check{Name: "OptiX", OK: true, Detail: library.Version}
}

// checkOIDN opens the denoiser on the processor: the library may be there and still not work.
func checkOIDN() Check {
	const what = "OIDN"
	missing := func(err error) Check {
		return Check{Name: what, Detail: err.Error(), Fix: "needed for --denoise oidn only"}
	}
	library, err := oidn.Find()
	if err != nil {
		return missing(err)
	}
	d, err := library.CPU()
	if err != nil {
		return missing(err)
	}
	defer func() { _ = d.Close() }() // it was opened for its version alone
	v := d.Version()
	return Check{Name: what, OK: true, Detail: fmt.Sprintf("%d.%d.%d, %s", v/10000, v/100%100, v%100, library.Path)}
}

func checkTool(name, fix string) Check {
	path, err := exec.LookPath(name)
	if err != nil {
		return Check{Name: name, Detail: "not found", Fix: fix}
	}
	return Check{Name: name, OK: true, Detail: path}
}
