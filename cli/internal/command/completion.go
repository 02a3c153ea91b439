package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completeCommand is what the shell's scripts call, with the words before the cursor.
const completeCommand = "__complete"

var completionScripts = map[string]string{
	"bash": `_sininho() {
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(sininho __complete "${words[@]}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sininho sininho
`,
	"zsh": `#compdef sininho
_sininho() {
  local -a candidates
  candidates=("${(@f)$(sininho __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $candidates || _files
}
compdef _sininho sininho
`,
	"fish": `function __sininho_complete
  set -l words (commandline -opc) (commandline -ct)
  sininho __complete $words[2..-1] 2>/dev/null
end
complete -c sininho -a '(__sininho_complete)'
`,
}

var shells = []string{"bash", "zsh", "fish"}

func completionCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "write the completion script of a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: "bash: source <(sininho completion bash)\n" +
			"zsh:  source <(sininho completion zsh)\n" +
			"fish: sininho completion fish | source\n\n" +
			example("sininho completion bash > ~/.local/share/bash-completion/completions/sininho"),
		Action: func(c *cli.Context) error {
			script, known := completionScripts[c.Args().First()]
			if !known || c.NArg() != 1 {
				return usageOf(c, "which shell? One of %s", strings.Join(shells, ", "))
			}
			_, err := io.WriteString(s.out, script)
			return quiet(s, err)
		},
	}
}

// complete writes what may stand in place of the last word, a line each.
func complete(w io.Writer, app *cli.App, words []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	for _, candidate := range candidates(app, words[:len(words)-1], last) {
		if strings.HasPrefix(candidate, last) {
			fmt.Fprintln(w, candidate)
		}
	}
}

func candidates(app *cli.App, before []string, last string) []string {
	a := &arranger{app: app}
	for len(before) > 0 {
		pending := before[len(before)-1]
		rest, err := a.take(before)
		if err != nil {
			return choices(pending) // a flag that waits for its value, or nonsense
		}
		before = rest
	}
	switch {
	case strings.HasPrefix(last, "-"):
		return a.longFlags()
	case a.isGroup():
		var names []string
		for _, c := range a.commands() {
			names = append(names, c.Name)
		}
		return names
	case a.command.Name == "completion":
		return shells
	}
	return nil
}

func (a *arranger) longFlags() []string {
	names := slices.DeleteFunc(a.flagNames(), func(name string) bool { return !strings.HasPrefix(name, "--") })
	slices.Sort(names)
	return slices.Compact(names)
}
