package command

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// completeCommand is the command that the shell scripts run, with the words before the cursor.
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
  set -l candidates (sininho __complete $words[2..-1] 2>/dev/null)
  if test -n "$candidates"
    printf '%s\n' $candidates
  else
    __fish_complete_path $words[-1]
  end
end
complete -c sininho -f -a '(__sininho_complete)'
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

// complete writes the candidates for the last word, one per line.
func complete(ctx context.Context, s *session, app *cli.App, words []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	s.err = io.Discard // the user is typing: write no messages
	for _, candidate := range candidates(ctx, s, app, words[:len(words)-1], last) {
		if strings.HasPrefix(candidate, last) {
			fmt.Fprintln(s.out, candidate)
		}
	}
}

func candidates(ctx context.Context, s *session, app *cli.App, before []string, last string) []string {
	a := &arranger{app: app}
	for len(before) > 0 {
		pending := before[len(before)-1]
		rest, err := a.take(before)
		if err != nil && pending == "--account" {
			return s.accountNames()
		}
		if err != nil {
			return a.choices(pending) // the flag still needs its value, or does not exist
		}
		before = rest
	}
	switch {
	case strings.HasPrefix(last, "-"):
		return a.longFlags()
	case a.isGroup():
		var names []string
		for _, c := range a.commands() {
			if !c.Hidden {
				names = append(names, c.Name)
			}
		}
		return names
	case a.command.Name == "completion":
		return shells
	}
	return s.named(ctx, a, last)
}

func (s *session) accountNames() []string {
	saved, err := s.credentials()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(saved.Servers))
}

// completionTime bounds how long completion waits for the server, completionNames how many names it offers.
const (
	completionTime  = 1500 * time.Millisecond
	completionNames = 200
)

// named returns the candidates for the next argument that the server knows. It ignores all errors,
// because the user is typing.
func (s *session) named(ctx context.Context, a *arranger, last string) []string {
	arguments := strings.Fields(a.command.ArgsUsage)
	if len(a.positional) >= len(arguments) {
		return nil
	}
	for _, global := range a.global {
		name, value, _ := strings.Cut(strings.TrimPrefix(global, "--"), "=")
		switch name {
		case "url":
			s.url = value
		case "account":
			s.account = value
		}
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	client, err := s.connect(sininho.WithRetries(0))
	if err != nil {
		return nil
	}
	switch strings.Trim(arguments[len(a.positional)], "[]") {
	case "CHANNEL":
		return channelNames(ctx, client, last)
	case "PUBLISHER":
		if a.path[0] == "invitations" {
			return inviting(ctx, client)
		}
		return ownPublishers(ctx, client)
	case "NAME":
		if a.path[0] == "accounts" {
			return s.accountNames()
		}
	}
	return nil
}

// channelNames returns the channels of the publisher that is being typed or, before the slash,
// those of the caller's publishers followed by the popular ones.
func channelNames(ctx context.Context, client *sininho.Client, last string) []string {
	if publisher, _, found := strings.Cut(last, "/"); found {
		if !sininho.IsSlug(publisher) {
			return nil
		}
		return addresses(client.Channels.List(ctx, sininho.ChannelListOptions{Publisher: publisher}))
	}
	var names []string
	for _, publisher := range ownPublishers(ctx, client) {
		names = append(names, addresses(client.Channels.List(ctx, sininho.ChannelListOptions{Publisher: publisher}))...)
	}
	names = append(names, addresses(client.Channels.List(ctx, sininho.ChannelListOptions{PageSize: 100}))...)
	slices.Sort(names)
	return slices.Compact(names)
}

func addresses(list iter.Seq2[sininho.Channel, error]) (names []string) {
	for channel, err := range list {
		if err != nil || len(names) == completionNames {
			break
		}
		names = append(names, channel.Address().String())
	}
	return names
}

// ownPublishers returns the API key's publisher, or the publishers that the person is a member of.
func ownPublishers(ctx context.Context, client *sininho.Client) (slugs []string) {
	caller, err := client.Auth.Get(ctx)
	switch {
	case err != nil:
		return nil
	case caller.Publisher != nil:
		return []string{caller.Publisher.Slug}
	case caller.Subscriber == nil:
		return nil
	}
	for publisher, err := range client.Publishers.Mine(ctx) {
		if err != nil || len(slugs) == completionNames {
			break
		}
		slugs = append(slugs, publisher.Slug)
	}
	return slugs
}

func (a *arranger) longFlags() []string {
	names := slices.DeleteFunc(a.flagNames(), func(name string) bool { return !strings.HasPrefix(name, "--") })
	slices.Sort(names)
	return slices.Compact(names)
}
