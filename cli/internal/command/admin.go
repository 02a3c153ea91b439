package command

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func adminCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "admin",
		Usage: "for operators: moderation, categories, and how the installation is doing",
		Subcommands: []*cli.Command{
			suspendCommand(s),
			unsuspendCommand(s),
			withdrawAnyCommand(s),
			accountsByEmailCommand(s),
			reportsCommand(s),
			closeReportCommand(s, "resolve", "close a report about which something was done"),
			closeReportCommand(s, "dismiss", "close a report about which nothing had to be done"),
			publisherRequestsCommand(s),
			approveRequestCommand(s),
			refuseRequestCommand(s),
			wholeAuditLogCommand(s),
			allChannelsCommand(s),
			allPublishersCommand(s),
			allStorageCommand(
				s,
			),
			setQuotaCommand(s),
			adminCategoriesCommand(s),
			healthCommand(s),
			failingEndpointsCommand(s),
			settingsCommand(s),
		},
	}
}

func reasonFlag() cli.Flag {
	return &cli.StringFlag{Name: "reason", Usage: "`TEXT` that the owner sees; required"}
}

func suspendCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "suspend",
		Usage:     "suspend a channel, a publisher or an account, or change the reason",
		ArgsUsage: "CHANNEL|PUBLISHER|EMAIL",
		Description: "A suspended channel is hidden from everyone but its publisher, and nothing can be\n" +
			"published to it. A suspended publisher has all its channels suspended and its API keys\n" +
			"refused. A suspended person is signed out everywhere. 'sininho admin unsuspend' gives\n" +
			"everything back.\n\n" +
			example("sininho admin suspend acme/deploys --reason 'Publishes frauds'",
				"sininho admin suspend ana@example.com --reason 'Sends spam'"),
		Flags: []cli.Flag{reasonFlag()},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			if c.String("reason") == "" {
				return usageOf(c, "--reason is required")
			}
			suspension, err := suspend(c.Context, client, args[0], c.String("reason"))
			if err != nil {
				return err
			}
			s.talk("Suspended %s", args[0])
			if s.json {
				return quiet(s, s.writeJSON(suspension))
			}
			return nil
		}),
	}
}

// suspend suspends what the form of a name stands for.
func suspend(ctx context.Context, client *sininho.Client, name, reason string) (*sininho.Suspension, error) {
	switch {
	case strings.Contains(name, "@"):
		id, err := findAccount(ctx, client, name)
		if err != nil {
			return nil, err
		}
		return client.Moderation.SuspendAccount(ctx, id, reason)
	case strings.Contains(name, "/"):
		return client.Moderation.SuspendChannel(ctx, name, reason)
	default:
		return client.Moderation.SuspendPublisher(ctx, name, reason)
	}
}

func unsuspendCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "unsuspend",
		Usage:       "end the suspension of a channel, a publisher or an account",
		ArgsUsage:   "CHANNEL|PUBLISHER|EMAIL",
		Description: example("sininho admin unsuspend acme/deploys"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			if err := unsuspend(c.Context, client, args[0]); err != nil {
				return err
			}
			s.talk("%s is not suspended", args[0])
			return nil
		}),
	}
}

func unsuspend(ctx context.Context, client *sininho.Client, name string) error {
	switch {
	case strings.Contains(name, "@"):
		id, err := findAccount(ctx, client, name)
		if err != nil {
			return err
		}
		return client.Moderation.UnsuspendAccount(ctx, id)
	case strings.Contains(name, "/"):
		return client.Moderation.UnsuspendChannel(ctx, name)
	default:
		return client.Moderation.UnsuspendPublisher(ctx, name)
	}
}

// findAccount returns the id of the newest account with an email address, as signing in with it would find.
func findAccount(ctx context.Context, client *sininho.Client, email string) (string, error) {
	for a, err := range client.Moderation.Accounts(ctx, email) {
		return a.ID, err
	}
	return "", fmt.Errorf("no account has the address %s", email)
}

func accountsByEmailCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "accounts",
		Usage:       "find the accounts with an email address, or list the suspended ones",
		ArgsUsage:   "[EMAIL]",
		Description: example("sininho admin accounts ana@example.com"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			empty := "No account is suspended."
			if len(args) > 0 {
				empty = "No account has this address."
			}
			return writeList(s, client.Moderation.Accounts(c.Context, strings.Join(args, "")), 0, empty,
				"ACCOUNT\tEMAIL\tNAME\tSINCE\tSUSPENDED", accountRow)
		}),
	}
}

func allChannelsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "channels",
		Usage:       "find channels, also unlisted and suspended ones, or list the suspended ones",
		ArgsUsage:   "[WORDS]",
		Description: example("sininho admin channels", "sininho admin channels 'metro lisboa'"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.Moderation.Channels(c.Context, strings.Join(args, "")), 0, "No channel found.",
				"CHANNEL\tNAME\tVISIBILITY\tSUBSCRIBERS\tSUSPENDED", func(ch sininho.Channel) []string {
					return []string{ch.Address().String(), oneLine(ch.Name), string(ch.Visibility),
						strconv.FormatInt(ch.SubscriberCount, 10), suspensionCell(ch.Suspension)}
				})
		}),
	}
}

func allPublishersCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "publishers",
		Usage:       "find publishers, also suspended ones, or list the suspended ones",
		ArgsUsage:   "[WORDS]",
		Description: example("sininho admin publishers", "sininho admin publishers metro"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			found := client.Moderation.Publishers(c.Context, strings.Join(args, ""))
			return writeList(s, found, 0, "No publisher found.", "PUBLISHER\tNAME\tCHANNELS\tSUSPENDED",
				func(p sininho.Publisher) []string {
					return []string{p.Slug, oneLine(p.Name), strconv.FormatInt(p.ChannelCount, 10),
						suspensionCell(p.Suspension)}
				})
		}),
	}
}

func accountRow(a sininho.Account) []string {
	return []string{a.ID, oneLine(a.Email), oneLine(a.Name), moment(a.CreatedAt), suspensionCell(a.Suspension)}
}

// suspensionCell returns the reason of a suspension, or "no" without one.
func suspensionCell(suspension *sininho.Suspension) string {
	return oneLine(cmp.Or(suspensionText(suspension), "no"))
}

func withdrawAnyCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "withdraw",
		Usage:       "withdraw a notification of any channel",
		ArgsUsage:   "NOTIFICATION",
		Description: example("sininho admin withdraw 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --reason Fraud --yes"),
		Flags:       []cli.Flag{reasonFlag(), yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if c.String("reason") == "" {
				return usageOf(c, "--reason is required")
			}
			return s.destroy(c, s.signInAsPerson, "Withdraw "+args[0]+"?", "Withdrew "+args[0],
				func(client *sininho.Client) error {
					return client.Moderation.Withdraw(c.Context, args[0], c.String("reason"))
				})
		},
	}
}

func wholeAuditLogCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "audit-log",
		Usage:       "list who changed what, of all publishers or of one, newest first",
		ArgsUsage:   "[PUBLISHER]",
		Description: example("sininho admin audit-log", "sininho admin audit-log acme --limit 100"),
		Flags:       []cli.Flag{auditLimitFlag()},
		Action: s.auditLog(func(ctx context.Context, client *sininho.Client, args []string) auditEntries {
			return client.AuditLog.All(ctx, strings.Join(args, ""))
		}),
	}
}

// suspensionText returns the reason of a suspension, or "" without one.
func suspensionText(suspension *sininho.Suspension) string {
	if suspension == nil {
		return ""
	}
	return suspension.Reason
}
