package command

import (
	"bytes"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"
)

func importNtfyCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "ntfy",
		Usage: "create a channel for each topic of ntfy's client.yml, and write the new client.yml",
		Description: "The file is that of 'ntfy subscribe --from-config'. Commands and conditions stay.\n\n" +
			example("sininho import ntfy old.yml --publisher acme --category tecnologia > client.yml"),
		ArgsUsage: "FILE",
		Flags:     importFlags(),
		Action:    func(c *cli.Context) error { return importNtfy(s, c) },
	}
}

func importNtfy(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	source, err := os.ReadFile(args[0])
	if err != nil {
		return usageOf(c, "%v", err)
	}
	var config yaml.Node
	if err := yaml.Unmarshal(source, &config); err != nil {
		return usageOf(c, "%s is not YAML: %v", args[0], err)
	}
	topics := ntfyTopics(&config)
	i, err := newImporter(s, c)
	if err != nil {
		return err
	}
	all := make([]*imported, len(topics))
	for n, topic := range topics {
		all[n] = &imported{name: topic.Value}
	}
	key, err := i.create(c.Context, "ntfy", all)
	if err != nil {
		return err
	}
	if s.json {
		return quiet(s, s.writeJSON(resultOf(key, all)))
	}
	for n, topic := range topics {
		topic.Value = ntfyTopic(all[n])
	}
	setYAML(config.Content[0], "default-host", s.origin())
	setYAML(config.Content[0], "default-token", key)
	var out bytes.Buffer
	if err := yaml.NewEncoder(&out).Encode(&config); err != nil {
		return err
	}
	s.talk("In scripts, replace the address and the credential:\n")
	for _, each := range all {
		s.talk("    curl -u :KEY -d 'Hello' %s/%s   # %s", s.origin(), ntfyTopic(each), each.name)
	}
	s.talk("\nKEY is default-token in the file on stdout. It is shown only once.")
	_, err = s.out.Write(out.Bytes())
	return quiet(s, err)
}

// ntfyTopic is the topic by which ntfy's programs know a channel.
func ntfyTopic(each *imported) string {
	return fmt.Sprintf("%s_%s", each.channel.Publisher, each.channel.Channel)
}

// ntfyTopics returns where a client.yml names topics, each once for one topic.
func ntfyTopics(config *yaml.Node) (topics []*yaml.Node) {
	if len(config.Content) == 0 || config.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	subscribe := memberOf(config.Content[0], "subscribe")
	if subscribe == nil {
		return nil
	}
	for _, each := range subscribe.Content {
		if topic := memberOf(each, "topic"); topic != nil && topic.Value != "" {
			topics = append(topics, topic)
		}
		for _, credential := range []string{"user", "password", "token"} {
			removeYAML(each, credential) // of the other server
		}
	}
	for _, credential := range []string{"default-user", "default-password"} {
		removeYAML(config.Content[0], credential)
	}
	return topics
}

// memberOf returns the value of a member of a mapping, or nil.
func memberOf(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func setYAML(mapping *yaml.Node, name, value string) {
	if member := memberOf(mapping, name); member != nil {
		*member = yaml.Node{Kind: yaml.ScalarNode, Value: value}
		return
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name},
		&yaml.Node{Kind: yaml.ScalarNode, Value: value})
}

func removeYAML(mapping *yaml.Node, name string) {
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			mapping.Content = append(mapping.Content[:i], mapping.Content[i+2:]...)
			return
		}
	}
}
