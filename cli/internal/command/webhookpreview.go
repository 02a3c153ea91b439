package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"github.com/sininho/sininho/pkg/sininho"
)

const templateHelp = `A template is Liquid, with payload and headers as its variables. Its members are title,
body, link, image, icon, importance, externalId and skip; only title is needed, as in

    title: "{{ payload.service }} {{ payload.version }} is live"
    skip: "{% if payload.stage != 'production' %}not production{% endif %}"`

func webhooksPreviewCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "preview",
		Usage:     "show the notification that a payload would publish, without publishing it",
		ArgsUsage: "CHANNEL [FILE]",
		UsageText: "sininho webhooks preview CHANNEL [FILE] [options]   " +
			"(the payload as JSON; from stdin without FILE or with -)",
		Description: "The exit code is 1 if the payload would be refused.\n\n" + templateHelp + "\n\n" +
			example("sininho webhooks preview acme/deploys event.json --sender github --header x-github-event=issues",
				"sininho webhooks preview acme/deploys --template deploys.yaml < event.json"),
		Flags: []cli.Flag{
			senderFlag(), templateFlag(),
			&cli.GenericFlag{Name: "header", Value: &dataValue{},
				Usage: "`KEY=VALUE` of a header that identifies the event; may be repeated"},
		},
		Action: func(c *cli.Context) error { return previewWebhook(s, c) },
	}
}

func previewWebhook(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	file := "-"
	if len(args) == 2 {
		file = args[1]
	}
	if file == "-" && c.String("template") == "-" {
		return usageOf(c, "stdin cannot hold both the payload and the template")
	}
	in := sininho.WebhookPreviewInput{
		Sender: sininho.WebhookSender(c.String("sender")), Headers: lowerNames(c.Generic("header").(*dataValue).pairs),
	}
	if in.Template, err = s.templateGiven(c); err != nil {
		return err
	}
	if in.Payload, err = s.readInput(c.Context, file); err != nil {
		return err
	}
	if !json.Valid(in.Payload) {
		return usageOf(c, "the payload is not JSON")
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	preview, err := client.Webhooks.Preview(c.Context, args[0], in)
	if err != nil {
		return err
	}
	return s.ended(preview.Outcome, s.writePreview(preview))
}

func (s *session) writePreview(p *sininho.WebhookPreview) error {
	if s.json {
		return s.writeJSON(p)
	}
	fields := [][2]string{{"outcome", string(p.Outcome)}, {"detail", p.Detail},
		{"adjusted", adjustments(p.Adjusted)}}
	if n := p.Notification; n != nil {
		fields = append(fields, [][2]string{
			{"title", n.Title}, {"link", n.Link}, {"image", n.Image}, {"icon", n.Icon},
			{"importance", string(n.Importance)},
			{"external id", n.ExternalID}, {"data", pairs(n.Data)}, {"body", n.Body},
		}...)
	}
	return s.writeFields(fields)
}

func lowerNames(headers map[string]string) map[string]string {
	if headers == nil {
		return nil
	}
	lower := map[string]string{}
	for name, value := range headers {
		lower[strings.ToLower(name)] = value
	}
	return lower
}

// readInput reads a file, or stdin for -, of at most maxMessage bytes.
func (s *session) readInput(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		text, err := s.readStdin(ctx)
		return []byte(text), err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxMessage+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxMessage {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxMessage)
	}
	return bytes.TrimPrefix(text, []byte(byteOrderMark)), nil
}

// templateGiven reads the template that --template names, or returns nil without the flag.
func (s *session) templateGiven(c *cli.Context) (*sininho.WebhookTemplate, error) {
	if !c.IsSet("template") {
		return nil, nil
	}
	text, err := s.readInput(c.Context, c.String("template"))
	if err != nil {
		return nil, err
	}
	template, err := parseTemplate(text)
	if err != nil {
		return nil, usageOf(c, "the template in %s: %v", c.String("template"), err)
	}
	return template, nil
}

var templateMembers = []string{"title", "body", "link", "image", "icon", "importance", "externalId", "skip"}

// parseTemplate parses a template's members from YAML or JSON, and refuses unknown ones.
func parseTemplate(text []byte) (*sininho.WebhookTemplate, error) {
	members := map[string]string{}
	unmarshal := yaml.Unmarshal
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		unmarshal = json.Unmarshal // YAML accepts most JSON, but not all
	}
	if err := unmarshal(text, &members); err != nil {
		return nil, fmt.Errorf("it is not a YAML or JSON object of strings: %w", err)
	}
	for name := range members {
		if !slices.Contains(templateMembers, name) {
			return nil, fmt.Errorf("there is no member %q%s", name, suggestion(name, templateMembers))
		}
	}
	if strings.TrimSpace(members["title"]) == "" {
		return nil, fmt.Errorf("it has no title")
	}
	template := &sininho.WebhookTemplate{}
	again, err := json.Marshal(members)
	if err != nil {
		return template, err
	}
	return template, json.Unmarshal(again, template)
}
