package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// choices returns the values that a flag takes, or nil if it takes any.
func choices(flag string) []string {
	switch flag {
	case "--importance":
		return []string{"normal", "important"}
	case "--sort":
		return []string{"popular", "trending", "newest", "active"}
	case "--bell":
		return []string{"all", "important", "digest", "none"}
	case "--role":
		return []string{"owner", "editor"}
	case "--scopes":
		return []string{"publish", "channels", "read"}
	case "--sender":
		return senders
	case "--signing":
		return []string{"standard", "github", "gitlab", "stripe", "sentry", "bearer", "none"}
	case "--status":
		return []string{"pending", "delivered", "failed"}
	case "--interval":
		return []string{"hour", "day"}
	case "--kind":
		return []string{"spam", "fraud", "impersonation", "abuse", "illegal", "other"}
	case "--state":
		return []string{"open", "resolved", "dismissed", "all"}
	case "--who":
		return []string{"unconfirmed", "waiting", "invited", "joined"}
	case "--events":
		return []string{
			"notification.dispatched", "notification.finished", "notification.failed", "channel.subscribers", "test",
		}
	}
	return nil
}

// senders are the systems whose payloads a webhook can take.
var senders = []string{"plain", "github", "gitlab", "alertmanager", "grafana", "stripe", "sentry", "slack", "discord",
	"gitea", "uptimekuma", "sonarr", "radarr", "jenkins"}

// checkValue refuses a value that is invalid for its flag, or not among those that it takes.
func checkValue(flag cli.Flag, name, value string, known []string) error {
	switch flag.(type) {
	case *cli.IntFlag:
		if _, err := strconv.ParseInt(value, 0, strconv.IntSize); err != nil {
			return usagef("%s takes a whole number, not %q", name, value)
		}
	case *cli.BoolFlag:
		if _, err := strconv.ParseBool(value); err != nil {
			return usagef("%s takes no value, or true or false, not %q", name, value)
		}
	case *cli.GenericFlag:
		if err := new(dataValue).Set(value); err != nil {
			return usagef("%s takes %v", name, err)
		}
	}
	values := []string{value}
	switch {
	case name == "--scopes" || name == "--events":
		values = strings.Split(value, ",")
	case (name == "--publisher" || name == "--category") && !sininho.IsSlug(value):
		return usagef("%s takes a slug (lower-case letters, digits and single hyphens), not %q", name, value)
	}
	for _, v := range values {
		if err := checkChoice(name, strings.TrimSpace(v), known); err != nil {
			return err
		}
	}
	return nil
}

func checkChoice(name, value string, known []string) error {
	if known == nil || slices.Contains(known, value) {
		return nil
	}
	last := len(known) - 1
	return usagef("%s takes %s or %s, not %q%s", name, strings.Join(known[:last], ", "), known[last], value,
		suggestion(value, known))
}
