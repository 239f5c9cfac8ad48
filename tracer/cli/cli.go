// Package cli is glint's command line: the grammar, and the commands that need no window.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/bench"
	"glint/tracer/cli/compare"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/grid"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/terminal"
	"glint/tracer/cli/training"
	"glint/tracer/film"
	"glint/tracer/guard"
	"glint/tracer/view"
)

// Exit codes. A retry may help after a device error, or where work was stopped that goes on from where it was; not after an error
// of usage or of the scene.
const (
	exitUsage = 2
	exitPipe  = 128 + int(syscall.SIGPIPE) // as if the signal had ended it
)

// grammar is the command line.
type grammar struct {
	Verbose bool             `short:"v" help:"Log more."`
	Version kong.VersionFlag `help:"Print the version and exit."`
	HelpAll helpAll          `help:"Show help with all settings."`

	View       viewCommand       `cmd:"" default:"withargs" help:"Open a scene in a window. The default command: glint SCENE does the same."`
	Render     renderCommand     `cmd:"" help:"Render one image to a file, without a window."`
	Merge      mergeCommand      `cmd:"" help:"Put the parts of a still together that glint render --samples has made."`
	Compare    compare.Command   `cmd:"" help:"Compare two sets of settings, at equal samples or in equal time, against a reference."`
	Grid       grid.Command      `cmd:"" help:"Compare integrators on many scenes in equal time, raw and denoised, moving and at rest."`
	Video      videoCommand      `cmd:"" help:"Render an orbit or a camera path to a video or to numbered images."`
	Info       infoCommand       `cmd:"" help:"Show what a scene file holds and what of it is supported."`
	Bench      benchCommand      `cmd:"" help:"Measure speed on this machine: of scenes, of the ray kernels, or repeat published measurements."`
	Scene      sceneCommand      `cmd:"" help:"List the built-in scenes, or write one to a .glb file; list what can be edited in a file, or write it with edits."`
	Doctor     doctorCommand     `cmd:"" help:"Check GPU driver, window system and tools, and say how to get what is missing."`
	Keys       keysCommand       `cmd:"" help:"Print the keys of the window."`
	Completion completionCommand `cmd:"" help:"Print a script that completes glint's commands and flags in a shell."`
	Training   training.Command  `cmd:"" name:"training-data" hidden:"" help:"Render what a denoiser learns from."`
	Complete   completeCommand   `cmd:"" name:"__complete" hidden:"" passthrough:""`
	Help       helpCommand       `cmd:"" help:"Show this help, or that of a command."`
}

// newGrammar gives each command the settings that mean something to it.
func newGrammar() *grammar {
	g := &grammar{}
	g.View.SettingsFlags = flags.NewSettingsFlags(flags.AnySetting)
	g.Render.SettingsFlags = flags.NewSettingsFlags(flags.StillSetting)
	g.Compare.SettingsFlags = flags.NewSettingsFlags(flags.MeasuredSetting)
	g.Grid.SettingsFlags = flags.NewSettingsFlags(flags.VariantSetting)
	g.Training.SettingsFlags = flags.NewSettingsFlags(flags.FilmSetting)
	g.Video.SettingsFlags = flags.NewSettingsFlags(flags.FilmSetting)
	g.Bench.SettingsFlags = flags.NewSettingsFlags(flags.BenchSetting)
	g.Info.SettingsFlags = flags.NewSettingsFlags(flags.MemorySetting)
	return g
}

// Run parses the arguments and runs the command until it is done or the context ends; WithSignals makes one. It returns the
// process's exit code.
func (p *Program) Run(ctx context.Context, args []string) int {
	p.args = args
	out := &terminal.Writer{To: p.Stdout}
	own := &job.Process{Version: p.Version, Stdout: out, Stderr: p.Stderr, Log: terminal.NewLogger(p.Stderr, false),
		Leftovers: &p.leftovers, Open: p.Open}
	if own.Open == nil {
		own.Open = tracer.Open
	}
	code := p.run(ctx, own, args)
	if out.Err != nil && code == 0 { // some who print do not look at errors
		return fail(own, out.Err)
	}
	return code
}

func (p *Program) run(ctx context.Context, own *job.Process, args []string) int {
	g := newGrammar()
	code := -1
	parser, err := p.parser(g, own, func(c int) { code = c })
	if err != nil {
		return fail(own, err)
	}
	command, err := parser.Parse(args)
	if code >= 0 {
		return code
	}
	if out, ok := own.Stdout.(*terminal.Writer); ok && out.Err != nil {
		return 0 // help, of which Run tells that it was not printed
	}
	if err != nil {
		err = withCommands(parser.Model, err)
		if len(args) > 0 {
			err = cmp.Or(unknownWord(parser.Model, args[0]), err)
		}
		fmt.Fprintf(p.Stderr, "glint: %v\nRun `glint help` for the commands, and `glint help COMMAND` for the flags of one.\n",
			terminal.Sentence(err.Error()))
		return exitUsage
	}
	own.Log = terminal.NewLogger(p.Stderr, g.Verbose)
	if own.Restored, err = p.restoring.apply(); err != nil {
		return fail(own, err)
	}
	defer context.AfterFunc(ctx, func() { own.Log.Warn("ending; a second signal, such as Ctrl+C, ends at once") })()
	command.BindTo(ctx, (*context.Context)(nil))
	if err := command.Run(own, p, parser.Model); err != nil {
		return fail(own, p.config.explain(interrupt.Explained(ctx, err)))
	}
	return 0
}

func (p *Program) parser(g *grammar, own *job.Process, exit func(int)) (*kong.Kong, error) {
	parser, err := kong.New(g,
		kong.Name("glint"),
		kong.Description("An interactive path tracer for glTF scenes. Without a scene it shows one of its own.\n\n"+
			"`glint SCENE` opens the window; `glint help --all view` lists all settings."),
		kong.Vars{"version": p.Version, "sizes": view.SizeNames(), "environments": job.EnvironmentNames(),
			"aovs":   strings.Join(terminal.Names(film.AOVs(), func(a film.AOV) string { return a.Name }), ", "),
			"tables": strings.Join(terminal.Names(bench.Tables(), func(t bench.Table) string { return t.Name }), ", "),
			"block":  strconv.Itoa(film.BlockSamples)},
		kong.Writers(own.Stdout, &terminal.Writer{To: p.Stderr}),
		kong.Exit(exit),
		kong.ConfigureHelp(helpOptions),
		kong.Help(shortHelp),
		kong.WithHyphenPrefixedParameters(true), // --target -1,0,0
		kong.KindMapper(reflect.String, kong.MapperFunc(asGiven)),
	)
	if err != nil {
		return nil, err
	}
	if p.config == nil {
		p.config = readConfig(parser.Model, p.CheckKeys)
		p.config.warn(own.Log)
	}
	p.restoring = restoring{file: p.config}
	return parser, kong.Resolvers(kong.ResolverFunc(p.restoring.resolve)).Apply(parser)
}

// asGiven takes a word as it is: names of files need not be UTF-8, which kong makes of them. A flag with a tag ends takes only names
// that end so; a tag or says what else leads to the goal.
func asGiven(ctx *kong.DecodeContext, target reflect.Value) error {
	word, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	name, tag := word.String(), ctx.Value.Tag
	ends := strings.Split(tag.Get("ends"), ",")
	if tag.Has("ends") && !slices.Contains(ends, strings.ToLower(filepath.Ext(name))) {
		err := fmt.Errorf("%s: the name must end in %s", guard.Name(name), terminal.InWords(ends, "or"))
		if tag.Has("or") {
			err = fmt.Errorf("%w; %s", err, tag.Get("or"))
		}
		return err
	}
	target.SetString(name)
	return nil
}

// withCommands adds to an error about an unknown flag which commands have that flag.
func withCommands(model *kong.Application, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag --")
	if !unknown {
		return err
	}
	name, _, _ = strings.Cut(name, ",")
	var commands []string
	for _, command := range model.Leaves(true) {
		if slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return f.Name == name }) {
			commands = append(commands, "glint "+command.Name)
		}
	}
	if len(commands) == 0 {
		return err
	}
	return fmt.Errorf("%w: use it with %s", err, terminal.InWords(commands, "and"))
}

// fail reports an error and chooses the exit code. Like other programs in a pipe, glint ends without a word when its reader has enough.
func fail(p *job.Process, err error) int {
	if errors.Is(err, terminal.ErrNoReader) {
		return exitPipe
	}
	fmt.Fprintf(p.Stderr, "glint: %s\n", terminal.Sentence(err.Error()))
	var fault *guard.Fault
	if errors.As(err, &fault) {
		p.Log.Debug("internal error", "stack", fault.Stack)
	}
	switch code := interrupt.ExitCode(err); {
	case code != 0:
		return code
	case errors.Is(err, driver.ErrNotFound): // no retry brings a driver
		return exitUsage
	case driver.IsDeviceError(err):
		return interrupt.ExitRetry
	}
	return exitUsage
}

// helpCommand is `glint help`.
type helpCommand struct {
	Command string `arg:"" optional:"" help:"Command to explain. Without it: all of them."`
	All     bool   `help:"Show all settings of the command."`
}

// Run prints what --help prints, or --help-all.
func (c *helpCommand) Run(ctx context.Context, out *job.Process, p *Program, app *kong.Application) error {
	var command []string
	if c.Command != "" {
		command = []string{c.Command}
		if names := commandNames(app); !slices.Contains(names, c.Command) {
			return fmt.Errorf("help: %q is no command%s", c.Command, terminal.Suggestion(c.Command, names))
		}
	}
	flag := "--help"
	if c.All {
		flag = "--help-all"
	}
	if p.run(ctx, out, append(command, flag)) != 0 {
		return errors.New("help: it could not be shown")
	}
	return nil
}
