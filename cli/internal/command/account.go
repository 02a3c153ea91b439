package command

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// An account is a saved sign-in. Most people have one for each server, without a name; --account allows several at
// one server. It is not called a profile, because 'sininho profile' changes another thing.

// requestedAccount returns the account named by --account or SININHO_ACCOUNT, or "".
func (s *session) requestedAccount() string {
	if s.account != "" {
		return s.account
	}
	return strings.TrimSpace(s.env("SININHO_ACCOUNT"))
}

var accountPattern = regexp.MustCompile(`^[\pL\pN]([\pL\pN._@-]{0,61}[\pL\pN])?$`)

func isAccountName(name string) bool { return accountPattern.MatchString(name) }

// serverOf returns the server that an account signs in to, or "" for an unknown account.
func (c *credentials) serverOf(name string) string {
	entry, known := c.Servers[name]
	switch {
	case !known:
		return ""
	case entry.Server == "":
		return name
	}
	return entry.Server
}

// accountServer returns the server of the requested account, or of the current one.
func (s *session) accountServer() string {
	saved, err := s.credentials()
	if err != nil {
		return ""
	}
	if name := s.requestedAccount(); name != "" {
		return saved.serverOf(name)
	}
	return saved.serverOf(saved.Current)
}

// accountName returns the requested account, otherwise the current one if this is its server,
// otherwise the unnamed account of this server.
func (s *session) accountName(saved *credentials) string {
	server := serverName(s.origin())
	switch name := s.requestedAccount(); {
	case name != "":
		return name
	case saved.serverOf(saved.Current) == server:
		return saved.Current
	}
	return server
}

// checkAccount refuses an account that does not exist or belongs to another server.
func (s *session) checkAccount(saved *credentials) error {
	name := s.requestedAccount()
	if name == "" {
		return nil
	}
	if _, known := saved.Servers[name]; !known {
		return usagef("there is no account %q%s; sign in with 'sininho login --account %s'",
			name, suggestion(name, slices.Collect(maps.Keys(saved.Servers))), name)
	}
	if server := saved.serverOf(name); server != serverName(s.origin()) {
		return usagef("the account %q belongs to %s, not to %s", name, server, serverName(s.origin()))
	}
	return nil
}

func accountsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "accounts",
		Usage:       "list the sign-ins that are saved on this machine, and select one",
		Subcommands: []*cli.Command{accountsListCommand(s), accountsUseCommand(s)},
	}
}

// account is a saved sign-in as --json writes it, without its secret.
type account struct {
	Name    string `json:"name"`
	Server  string `json:"server"`
	Account string `json:"account"`
	InUse   bool   `json:"inUse"`
}

func accountsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the accounts; * is the one in use",
		Description: "'sininho login --account NAME' adds an account. --account NAME or SININHO_ACCOUNT selects one\n" +
			"for a single command; the flag also takes precedence over SININHO_API_KEY and SININHO_URL. An\n" +
			"account without a name is listed under its server.\n\n" +
			example("sininho accounts list"),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			saved, err := s.credentials()
			if err != nil {
				return err
			}
			list := func(yield func(account, error) bool) {
				for _, name := range slices.Sorted(maps.Keys(saved.Servers)) {
					if !yield(account{name, saved.serverOf(name), saved.Servers[name].Account, name == saved.Current},
						nil) {
						return
					}
				}
			}
			return writeList(s, list, 0, "There is no account; see 'sininho login --help'.", "\tNAME\tSERVER\tUSER",
				func(a account) []string {
					mark := ""
					if a.InUse {
						mark = "*"
					}
					return []string{mark, oneLine(a.Name), oneLine(a.Server), oneLine(a.Account)}
				})
		},
	}
}

func accountsUseCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "use",
		Usage:       "select the account to use from now on",
		ArgsUsage:   "NAME",
		Description: example("sininho accounts use work"),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			saved, err := s.credentials()
			if err != nil {
				return err
			}
			entry, known := saved.Servers[args[0]]
			if !known {
				return usageOf(c, "there is no account %q%s; see 'sininho accounts list'",
					args[0], suggestion(args[0], slices.Collect(maps.Keys(saved.Servers))))
			}
			saved.Current = args[0]
			if err := s.writeCredentials(saved); err != nil {
				return err
			}
			s.talk("Using %s at %s from now on", entry.Account, saved.serverOf(args[0]))
			if s.hasEnvironmentKey() || s.env("SININHO_ACCOUNT") != "" {
				s.talk("SININHO_API_KEY, SININHO_API_KEY_FILE or SININHO_ACCOUNT is set and takes precedence over it.")
			}
			return nil
		},
	}
}
