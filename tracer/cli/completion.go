package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"glint/tracer/builtin"
	"glint/tracer/cli/job"
	"glint/tracer/cli/terminal"
	"glint/tracer/gpuscene"
)

// completionCommand is `glint completion`.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help says where the script goes.
func (c *completionCommand) Help() string {
	return `Load it when a shell starts; glint must be on the PATH:

    echo 'source <(glint completion bash)' >> ~/.bashrc
    echo 'source <(glint completion zsh)' >> ~/.zshrc
    mkdir -p ~/.config/fish/completions
    echo 'glint completion fish | source' > ~/.config/fish/completions/glint.fish`
}

// Each script asks `glint __complete WORD...`, which prints a word and its help per line; the last WORD is the one to be
// completed. When it prints nothing, the shell completes names of files. zsh and fish offer them beside the words too,
// unless words come without help: these are all that a flag or argument may be. The shell leaves the ~ of a typed
// program unexpanded.
var completionScripts = map[string]string{
	"bash": `_glint() {
  local word help
  COMPREPLY=()
  while IFS=$'\t' read -r word help; do
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o bashdefault -F _glint glint
`,
	"zsh": `#compdef glint
_glint() {
  local -a lines
  local word help files=yes
  while IFS=$'\t' read -r word help; do
    lines+=("${word//:/\\:}${help:+:$help}")
    [[ -n $help ]] || files=no
  done < <("${words[1]/#\~/$HOME}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#lines )); then _describe glint lines; fi
  if [[ $files = yes ]]; then _files; fi
}
if [ "$funcstack[1]" = _glint ]; then _glint "$@"; else (( $+functions[compdef] )) || { autoload -Uz compinit; compinit }; compdef _glint glint; fi
`,
	"fish": `function __glint_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
  $program __complete $words[2..-1] 2>/dev/null
end
complete -c glint -a '(__glint_complete)'
complete -c glint -f -n '__glint_complete | string match -qr "\t\$"'
`,
}

// Run prints the script.
func (c *completionCommand) Run(p *job.Process) error {
	_, err := io.WriteString(p.Stdout, completionScripts[c.Shell])
	return err
}

// completeCommand is what the scripts ask.
type completeCommand struct {
	Words []string `arg:"" optional:""`
}

// Run prints how the last word may go on.
func (c *completeCommand) Run(p *job.Process, app *kong.Application) error {
	for _, o := range completions(app, c.Words) {
		if _, err := fmt.Fprintf(p.Stdout, "%s\t%s\n", o.word, o.help); err != nil {
			return err
		}
	}
	return nil
}

// option is a word that may come next.
type option struct{ word, help string }

// completions lists how the last of the words may go on; none stands for names of files.
func completions(app *kong.Application, words []string) []option {
	before, typed := []string(nil), ""
	if last := len(words) - 1; last >= 0 {
		before, typed = words[:last], words[last]
	}
	command, flag := position(app, before)
	var all []option
	name, value, joined := strings.Cut(typed, "=")
	switch {
	case flag != nil: // of which the value is wanted
		typed = strings.TrimPrefix(typed, "=") // bash makes "=" a word
		all = values(flag)
	case strings.HasPrefix(typed, "--") && joined:
		if flag = flagOf(commandFlags(app, command), name); flag == nil {
			return nil
		}
		all = terminal.Names(matching(values(flag), value), func(o option) option { return option{name + "=" + o.word, o.help} })
	case strings.HasPrefix(typed, "-"):
		all = terminal.Names(commandFlags(app, command), func(f *kong.Flag) option { return option{"--" + f.Name, f.Help} })
	case command != nil:
		all = arguments(app, command)
	default:
		all = append(commands(app), scenes()...)
	}
	return matching(all, typed)
}

// position finds the command that the words before the last have chosen, nil for none, and the flag whose value comes next.
func position(app *kong.Application, before []string) (command *kong.Node, flag *kong.Flag) {
	for i := 0; i < len(before); i++ {
		word := before[i]
		if f := flagOf(commandFlags(app, command), word); f != nil && !f.IsBool() {
			if i++; i < len(before) && before[i] == "=" {
				i++
			}
			if i >= len(before) {
				return command, f
			}
			continue
		}
		if command == nil && !strings.HasPrefix(word, "-") {
			command = commandOf(app, word)
		}
	}
	return command, nil
}

// commandOf is the command of a name; a scene's name stands for the command that opens it.
func commandOf(app *kong.Application, name string) *kong.Node {
	leaves := app.Leaves(true)
	if i := slices.IndexFunc(leaves, func(n *kong.Node) bool { return n.Name == name }); i >= 0 {
		return leaves[i]
	}
	return app.DefaultCmd
}

// commandFlags are those that a command takes, without one those of the command that opens scenes.
func commandFlags(app *kong.Application, command *kong.Node) []*kong.Flag {
	if command == nil {
		command = app.DefaultCmd
	}
	return slices.Concat(command.Flags, app.Flags)
}

func flagOf(flags []*kong.Flag, word string) *kong.Flag {
	for _, f := range flags {
		if word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short) {
			return f
		}
	}
	return nil
}

// values are what a flag may be set to, as far as there is a list.
func values(f *kong.Flag) []option {
	if f.Name == "env" {
		return terminal.Names(gpuscene.BuiltinEnvironments(), func(e gpuscene.BuiltinEnvironment) option { return option{e.Spec, e.Help} })
	}
	return choices(f.Value)
}

// choices are the words of an enumeration.
func choices(v *kong.Value) []option {
	all := terminal.Names(v.EnumSlice(), func(word string) option { return option{word: word} })
	return slices.DeleteFunc(all, func(o option) bool { return o.word == "" })
}

// arguments are the words that a command takes.
func arguments(app *kong.Application, command *kong.Node) (list []option) {
	for _, argument := range command.Positional {
		switch {
		case argument.Enum != "":
			list = append(list, choices(argument)...)
		case argument.Name == "command":
			list = append(list, commands(app)...)
		case argument.Name == "part": // a file
		default:
			list = append(list, scenes()...)
		}
	}
	return list
}

func commands(app *kong.Application) []option {
	return terminal.Names(app.Leaves(true), func(leaf *kong.Node) option { return option{leaf.Name, leaf.Help} })
}

func scenes() []option {
	return terminal.Names(builtin.List(), func(i builtin.Info) option { return option{i.Name, i.Help} })
}

func matching(all []option, prefix string) []option {
	return slices.DeleteFunc(all, func(o option) bool { return !strings.HasPrefix(o.word, prefix) })
}

// commandNames lists the commands that help shows.
func commandNames(app *kong.Application) []string {
	return terminal.Names(app.Leaves(true), func(command *kong.Node) string { return command.Name })
}

// unknownWord is the error for a word that is neither a command nor a scene, or nil.
func unknownWord(app *kong.Application, word string) error {
	names := commandNames(app)
	if word == "" || strings.HasPrefix(word, "-") || slices.Contains(names, word) || job.IsScene(word) {
		return nil
	}
	return fmt.Errorf("%q is no command, file or built-in scene%s", word, terminal.Suggestion(word, slices.Concat(names,
		job.SceneNames())))
}
