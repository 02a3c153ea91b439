package ntfy

import (
	"regexp"
	"strings"

	"github.com/sininho/sininho/pkg/rules"
)

// maxTopics is how many topics one request may subscribe to.
const maxTopics = 20

// topic names a channel.
type topic struct{ publisher, channel string }

func (t topic) String() string { return t.publisher + "_" + t.channel }

// path is the path of the channel in the API.
func (t topic) path() string { return "/channels/" + t.publisher + "/" + t.channel }

func parseTopic(s string) (topic, error) {
	publisher, channel, ok := strings.Cut(s, "_")
	if !ok || !rules.IsSlug(publisher) || !rules.IsSlug(channel) {
		return topic{}, errTopic.because("a topic is publisher_channel, such as acme_deploys for acme/deploys")
	}
	return topic{publisher, channel}, nil
}

func parseTopics(s string) (topics []topic, err error) {
	for name := range strings.SplitSeq(s, ",") {
		if name == "" {
			continue
		}
		t, err := parseTopic(name)
		if err != nil {
			return nil, err
		}
		if len(topics) == maxTopics {
			return nil, errTopic.because("at most 20 topics in one request")
		}
		topics = append(topics, t)
	}
	if len(topics) == 0 {
		return nil, errTopic
	}
	return topics, nil
}

var topicsPattern = regexp.MustCompile(`^[-_,A-Za-z0-9]+$`)

// isTopics reports whether the first segment of a path looks like topics of channels.
func isTopics(segment string) bool {
	return strings.Contains(segment, "_") && topicsPattern.MatchString(segment)
}
