package command

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func auditLogCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "audit-log",
		Usage:     "list who changed what about a publisher, newest first; for its owners",
		ArgsUsage: "PUBLISHER",
		Description: "Entries are kept for 365 days. Publishing, correcting and withdrawing is not in the log.\n\n" +
			example("sininho publishers audit-log acme"),
		Flags: []cli.Flag{auditLimitFlag()},
		Action: s.auditLog(func(ctx context.Context, client *sininho.Client, args []string) auditEntries {
			return client.AuditLog.List(ctx, args[0])
		}),
	}
}

func auditLimitFlag() cli.Flag {
	return &cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30}
}

type auditEntries = iter.Seq2[sininho.AuditEntry, error]

// auditLog returns an action that writes the entries of a list.
func (s *session) auditLog(
	list func(ctx context.Context, client *sininho.Client, args []string) auditEntries,
) cli.ActionFunc {
	return func(c *cli.Context) error {
		args, err := arguments(c)
		if err != nil {
			return err
		}
		limit, _, err := limits(c)
		if err != nil {
			return err
		}
		client, err := s.signInAsPerson()
		if err != nil {
			return err
		}
		return writeList(s, list(c.Context, client, args), limit, "There is no entry.",
			"TIME\tACTION\tOBJECT\tOF\tBY\tNETWORK\tDETAIL", auditRow)
	}
}

func auditRow(e sininho.AuditEntry) []string {
	by := actor(e.Actor)
	var detail []string
	for _, name := range slices.Sorted(maps.Keys(e.Detail)) {
		detail = append(detail, fmt.Sprintf("%s: %s", name, e.Detail[name]))
	}
	return []string{
		moment(e.At), oneLine(e.Action), oneLine(cmp.Or(e.Object.Name, e.Object.ID)), ownerOf(e), oneLine(by),
		cmp.Or(e.Network, "-"), oneLine(strings.Join(detail, ", ")),
	}
}

// ownerOf returns the address of the channel that an entry is about, or the publisher.
func ownerOf(e sininho.AuditEntry) string {
	if e.Channel != nil {
		return e.Channel.Address().String()
	}
	return cmp.Or(e.PublisherSlug, "-")
}

// actor returns the kind and the name of an actor. Who has an id and no name was deleted; operators have neither for
// owners.
func actor(a sininho.AuditActor) string {
	switch {
	case a.Name != "":
		return a.Kind + " " + a.Name
	case a.ID != "":
		return a.Kind + " (deleted)"
	default:
		return a.Kind
	}
}
