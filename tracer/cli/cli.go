// Package cli is glint's command line: the grammar, and the commands that need no window.
package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"
	"github.com/lmittmann/tint"
	"golang.org/x/term"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Program is what main gives the command line: where to print, and the commands that need a window.
type Program struct {
	Version string
	Stdout  io.Writer
	Stderr  *os.File
	View    func(ViewRequest) error    // opens the window
	Keys    func(markdown bool) string // the key table
	Checks  func() []Check             // what doctor should ask of the window system
	log     *slog.Logger
}

// ViewRequest is what the viewer is asked to show.
type ViewRequest struct {
	Scene       string // path or built-in name
	Load        func(name string, progress func(stage string, fraction float64)) (*scene.Scene, error)
	Settings    settings.Settings
	Options     tracer.Options
	Environment *tracer.Environment // nil leaves it to the scene
	Width       int                 // of the window; 0 as it was last time
	Height      int
	Split       bool // begin with two sides to compare
}

// Exit codes: a usage or scene error will not go away by trying again, a device error may.
const (
	exitUsage  = 2
	exitDevice = 75
)

// grammar is the command line; the settings' flags are embedded from tracer.Table.
type grammar struct {
	Verbose bool             `short:"v" help:"Say more in the log."`
	Version kong.VersionFlag `help:"Print the version and stop."`

	View    viewCommand    `cmd:"" default:"withargs" help:"Open the viewer (this is what plain glint does)."`
	Render  renderCommand  `cmd:"" help:"Render without a window to .png, .exr or .pfm."`
	Compare compareCommand `cmd:"" help:"Compare two settings at equal samples or equal time: pictures, errors, curves."`
	Grid    gridCommand    `cmd:"" help:"Path tracing and ReSTIR GI in equal time, raw and denoised, moving and at rest: pictures and errors."`
	Video   videoCommand   `cmd:"" help:"Render an orbit or a path of key frames to a video, through ffmpeg, or to numbered pictures."`
	Info    infoCommand    `cmd:"" help:"Say what is in a scene file and how well it is supported."`
	Bench   benchCommand   `cmd:"" help:"Measure speed on this machine: of scenes, or the tables of the references; JSON lines and a report."`
	Scene   sceneCommand   `cmd:"" help:"Write a built-in procedural scene as .glb, or list them."`
	Doctor  doctorCommand  `cmd:"" help:"Check driver, window system and tools, and say how to mend what is missing."`
	Keys    keysCommand    `cmd:"" help:"Print the keys of the viewer."`
}

// Run parses the arguments and runs the command. It returns the process's exit code.
func (p *Program) Run(args []string) int {
	g := &grammar{}
	s := newSettingsFlags()
	g.View.settings, g.Render.settings, g.Compare.settings, g.Video.settings = s, s, s, s
	g.Bench.settings, g.Info.settings, g.Grid.settings = s, s, s
	code := -1
	parser, err := p.parser(g, s, func(c int) { code = c })
	if err != nil {
		return p.fail(err)
	}
	ctx, err := parser.Parse(args)
	if code >= 0 {
		return code
	}
	if err == nil {
		s.command = commandOf(ctx)
		err = refuseLiveFlags(ctx)
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "glint: %v\nRun `glint --help` for the flags.\n", err)
		return exitUsage
	}
	p.log = newLogger(p.Stderr, g.Verbose)
	if err := ctx.Run(p); err != nil {
		return p.fail(err)
	}
	return 0
}

func (p *Program) parser(g *grammar, s *settingsFlags, exit func(int)) (*kong.Kong, error) {
	resolver, err := configResolver()
	if err != nil {
		return nil, err
	}
	return kong.New(g,
		kong.Name("glint"),
		kong.Description("A live path tracer for glTF scenes. Without a scene it shows its own."),
		kong.Vars{"version": p.Version},
		kong.Writers(p.Stdout, p.Stderr),
		kong.Exit(exit),
		kong.Resolvers(resolver),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.WithHyphenPrefixedParameters(true), // --target -1,0,0
		kong.Embed(s.target()),
	)
}

// fail reports an error and chooses the exit code.
func (p *Program) fail(err error) int {
	fmt.Fprintf(p.Stderr, "glint: %v\n", err)
	if driver.IsDeviceError(err) || errors.Is(err, errDevice) {
		return exitDevice
	}
	return exitUsage
}

// errDevice marks errors of the machine rather than of the request.
var errDevice = errors.New("device error")

func newLogger(w *os.File, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", NoColor: !term.IsTerminal(int(w.Fd()))}))
}
