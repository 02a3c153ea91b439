package command

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// writeReference begins with second-level headings, so that its output fits into a guide.
func writeReference(b *strings.Builder, app *cli.App) {
	b.WriteString("## Options of every command\n\n")
	writeFlags(b, app.Flags)
	writeCommands(b, app.Name, app.Commands, "##")
}

func writeCommands(b *strings.Builder, path string, commands []*cli.Command, heading string) {
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		name := path + " " + c.Name
		fmt.Fprintf(b, "%s %s\n\n%s.\n\n", heading, name, escaped(capital(c.Usage)))
		if len(c.Subcommands) == 0 || c.UsageText != "" {
			fmt.Fprintf(b, "```text\n%s\n```\n\n", usageLine(name, c))
		}
		if about, examples, found := strings.Cut(c.Description, "Example: "); found {
			if about = strings.TrimSpace(about); about != "" {
				writeAbout(b, about)
			}
			examples, _, _ = strings.Cut(examples, "\n\n")
			if keepsSecret(examples) {
				examples = "umask 077 # only you may read the file that follows\n" + examples
			}
			fmt.Fprintf(b, "```text\n%s\n```\n\n", strings.ReplaceAll(examples, "\n         ", "\n"))
		}
		writeFlags(b, c.Flags)
		writeCommands(b, name, c.Subcommands, heading+"#")
	}
}

// writeAbout writes paragraphs, and indented ones as code blocks.
func writeAbout(b *strings.Builder, about string) {
	for paragraph := range strings.SplitSeq(about, "\n\n") {
		if strings.HasPrefix(paragraph, "    ") {
			code := strings.ReplaceAll(strings.TrimPrefix(paragraph, "    "), "\n    ", "\n")
			fmt.Fprintf(b, "```text\n%s\n```\n\n", code)
			continue
		}
		b.WriteString(escaped(paragraph) + "\n\n")
	}
}

func usageLine(name string, c *cli.Command) string {
	if c.UsageText != "" {
		return c.UsageText
	}
	line := name
	if len(c.Flags) > 0 {
		line += " [options]"
	}
	return strings.TrimSpace(line + " " + c.ArgsUsage)
}

func writeFlags(b *strings.Builder, flags []cli.Flag) {
	var rows []string
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		if !ok || f.Names()[0] == cli.HelpFlag.Names()[0] || !isVisible(f) {
			continue
		}
		usage, name := d.GetUsage(), flagText(f.Names()[0])
		if before, rest, found := strings.Cut(usage, "`"); found { // the usage has the value's name in backquotes
			value, after, _ := strings.Cut(rest, "`")
			name, usage = name+" "+value, before+value+after
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", name, escaped(usage)))
	}
	if len(rows) > 0 {
		b.WriteString("| option | meaning |\n| --- | --- |\n" + strings.Join(rows, "") + "\n")
	}
}

func isVisible(f cli.Flag) bool {
	visible, ok := f.(cli.VisibleFlag)
	return !ok || visible.IsVisible()
}

// escaper escapes characters that Markdown would interpret.
var escaper = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "{{", "&#123;&#123;")

func escaped(text string) string { return escaper.Replace(text) }

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
