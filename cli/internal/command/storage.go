package command

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func publisherStorageCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "storage",
		Usage:     "show how much a publisher stores, and how much it may",
		ArgsUsage: "PUBLISHER",
		Description: "When the storage is full, nothing more is published. Notifications that are kept for a\n" +
			"shorter time make room, as do deleted channels and webhooks.\n\n" +
			example("sininho publishers storage acme", "sininho channels update acme/deploys --keep-days 90"),
		Action: s.connected(func(c *cli.Context, client *sininho.Client, args []string) error {
			storage, err := client.Publishers.Storage(c.Context, args[0])
			if err != nil {
				return err
			}
			return s.writeStorage(args[0], storage)
		}),
	}
}

func (s *session) writeStorage(publisher string, storage *sininho.Storage) error {
	if s.json {
		return quiet(s, s.writeJSON(storage))
	}
	return quiet(s, s.writeFields([][2]string{
		{"publisher", publisher}, {"stored", mebibytes(storage.UsedBytes)}, {"quota", quotaText(storage.QuotaBytes)},
	}))
}

func allStorageCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "storage",
		Usage:       "show the size of the database, and the publishers that store most",
		Description: example("sininho admin storage"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			all, err := client.Moderation.Storage(c.Context)
			if err != nil {
				return err
			}
			if s.json {
				return quiet(s, s.writeJSON(all))
			}
			s.talk(
				"The database has %s; a publisher may store %s",
				mebibytes(all.DatabaseBytes),
				quotaText(all.QuotaBytes),
			)
			return writeList(
				s,
				items(all.Largest),
				0,
				"No publisher stores anything.",
				"PUBLISHER\tNAME\tSTORED\tQUOTA",
				func(p sininho.PublisherStorage) []string {
					return []string{p.Slug, oneLine(p.Name), mebibytes(p.UsedBytes), quotaText(p.QuotaBytes)}
				},
			)
		}),
	}
}

func setQuotaCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "quota",
		Usage:     "set how many MiB a publisher may store",
		ArgsUsage: "PUBLISHER MIB|none|default",
		Description: "'none' is no limit, and 'default' is STORAGE_QUOTA_MIB of the server. Nothing is deleted\n" +
			"when a publisher stores more than its new quota.\n\n" +
			example("sininho admin quota acme 4096", "sininho admin quota acme default"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			if args[1] == "default" {
				if err := client.Moderation.ResetQuota(c.Context, args[0]); err != nil {
					return err
				}
				s.talk("%s has the quota of the server", args[0])
				return nil
			}
			bytes, err := parseQuota(args[1])
			if err != nil {
				return usageOf(c, "%v", err)
			}
			storage, err := client.Moderation.SetQuota(c.Context, args[0], bytes)
			if err != nil {
				return err
			}
			return s.writeStorage(args[0], storage)
		}),
	}
}

// maxQuotaMiB is the largest quota of the API.
const maxQuotaMiB = 1 << 30

// parseQuota returns a number of MiB as bytes, and 0 for none.
func parseQuota(text string) (int64, error) {
	if text == "none" {
		return 0, nil
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(text, "MiB"), 10, 64)
	if err != nil || n < 1 || n > maxQuotaMiB {
		return 0, fmt.Errorf("MIB must be a number from 1 to %d, none or default, not %q", maxQuotaMiB, text)
	}
	return n << 20, nil
}

func quotaText(bytes *int64) string {
	if bytes == nil {
		return "no limit"
	}
	return mebibytes(*bytes)
}

// mebibytes rounds up, so that something is not 0.
func mebibytes(bytes int64) string {
	return strconv.FormatInt(int64(math.Ceil(float64(bytes)/(1<<20))), 10) + " MiB"
}

// items returns a list as writeList reads it.
func items[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range list {
			if !yield(item, nil) {
				return
			}
		}
	}
}
