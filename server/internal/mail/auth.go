package mail

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wneessen/go-mail/smtp"
)

// mechanism is a way to authenticate with a user and password.
type mechanism struct {
	name  string
	plain bool // shows the password to the server, and so needs an encrypted connection
	auth  func(user, password, host string) smtp.Auth
}

// mechanisms are tried in this order.
var mechanisms = []mechanism{
	{"SCRAM-SHA-256", false, func(user, password, _ string) smtp.Auth { return smtp.ScramSHA256Auth(user, password) }},
	{"PLAIN", true, func(user, password, host string) smtp.Auth {
		return smtp.PlainAuth("", user, password, host, true)
	}},
	{"LOGIN", true, func(user, password, host string) smtp.Auth { return smtp.LoginAuth(user, password, host, true) }},
	{"SCRAM-SHA-1", false, func(user, password, _ string) smtp.Auth { return smtp.ScramSHA1Auth(user, password) }},
	{"CRAM-MD5", false, func(user, password, _ string) smtp.Auth { return smtp.CRAMMD5Auth(user, password) }},
}

// authenticated returns a session in which the user and password of the address were accepted. A mechanism that fails
// is followed by the next one, over another connection: servers offer some for which they keep no password.
func (s *Sender) authenticated(ctx context.Context) (*connection, error) {
	c, err := s.connect(ctx)
	if err != nil || !s.server.hasLogin {
		return c, err
	}
	usable, err := s.usable(c)
	if err != nil {
		c.close()
		return nil, err
	}
	var first error
	for i, m := range usable {
		if i > 0 {
			if c, err = s.connect(ctx); err != nil {
				return nil, err
			}
		}
		if err = c.Auth(m.auth(s.server.user, s.server.password, s.server.host)); err == nil {
			s.worked.Store(&m.name)
			return c, nil
		}
		c.close()
		if first == nil {
			first = failedTo("authenticate with "+m.name, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// usable returns the mechanisms that the server offers, that which worked last first.
func (s *Sender) usable(c *connection) (list []mechanism, err error) {
	offered := offers(c.Client)
	if len(offered) == 0 {
		return nil, fmt.Errorf("the mail server offers no authentication at port %d: use its port for submission,"+
			" often 587 or 465, or leave the user and password out of SMTP_URL", s.server.port)
	}
	mayShow := c.encrypted || !s.server.needsTLS(s.mode)
	for _, m := range mechanisms {
		if slices.Contains(offered, m.name) && (mayShow || !m.plain) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the mail server authenticates only by %s, none of which works with a password",
			strings.Join(offered, ", "))
	}
	if last := s.worked.Load(); last != nil {
		slices.SortStableFunc(list, func(a, b mechanism) int {
			switch *last {
			case a.name:
				return -1
			case b.name:
				return 1
			}
			return 0
		})
	}
	return list, nil
}

// offers returns the mechanisms that a server lists, also in the form AUTH=PLAIN of old ones.
func offers(c *smtp.Client) []string {
	_, list := c.Extension("AUTH")
	names := strings.Fields(strings.ToUpper(list))
	for _, m := range mechanisms {
		if old, more := c.Extension("AUTH=" + m.name); old {
			names = append(append(names, m.name), strings.Fields(strings.ToUpper(more))...)
		}
	}
	return names
}
