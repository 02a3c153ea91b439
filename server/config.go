// Package server assembles Sininho's server: its settings (config.go) and its wiring (server.go), nothing else.
package server

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/relay"
)

// Config holds every setting. Each field names its environment variable; `sininho-server config check` reports missing
// and invalid ones.
type Config struct {
	// Settings for the web app, which the specification requires.
	DemoWebhookURL            string `env:"DEMO_WEBHOOK_URL,required,notEmpty"`
	GoogleClientID            string `env:"GOOGLE_CLIENT_ID,required,notEmpty"`
	GoogleSecret              string `env:"GOOGLE_SECRET,required,notEmpty"`
	FirebaseAPIKey            string `env:"FIREBASE_API_KEY,required,notEmpty"`
	FirebaseAuthDomain        string `env:"FIREBASE_AUTH_DOMAIN,required,notEmpty"`
	FirebaseProjectID         string `env:"FIREBASE_PROJECT_ID,required,notEmpty"`
	FirebaseMessagingSenderID string `env:"FIREBASE_MESSAGING_SENDER_ID,required,notEmpty"`
	FirebaseAppID             string `env:"FIREBASE_APP_ID,required,notEmpty"`
	FirebaseStorageBucket     string `env:"FIREBASE_STORAGE_BUCKET,required,notEmpty"`
	FirebaseVAPIDPublicKey    string `env:"FIREBASE_VAPID_PUBLIC_KEY,required,notEmpty"`
	PostHogAPIKey             string `env:"POSTHOG_API_KEY,required,notEmpty"`
	PostHogHost               string `env:"POSTHOG_HOST,required,notEmpty"`
	APIBaseURL                string `env:"API_BASE_URL"`          // empty: derived from PublicURL, like the next one
	WaitlistAPIBaseURL        string `env:"WAITLIST_API_BASE_URL"` // may be on another origin
	SupportURL                string `env:"SUPPORT_URL"`
	SecurityContact           string `env:"SECURITY_CONTACT"` // empty: SupportURL

	// The address of the server and where it stores data.
	ListenAddr        string   `env:"LISTEN_ADDR" envDefault:":8080"`
	PublicURL         string   `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	DatabaseURL       string   `env:"DATABASE_URL,required,notEmpty"`
	DatabaseDirectURL string   `env:"DATABASE_DIRECT_URL"`
	DatabaseReplicas  []string `env:"DATABASE_REPLICA_URLS"`
	DatabaseConns     int32    `env:"DATABASE_CONNECTIONS" envDefault:"32"`
	NATSURL           string   `env:"NATS_URL"` // empty: signals between servers go through the database
	SecretKey         string   `env:"SECRET_KEY,required,notEmpty"`
	TrustedProxies    []string `env:"TRUSTED_PROXIES"`
	ShutdownDelay     int      `env:"SHUTDOWN_DELAY_SECONDS" envDefault:"0"`
	LogLevel          string   `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat         string   `env:"LOG_FORMAT" envDefault:"text"`

	// Email addresses of the operators, who may manage what belongs to no publisher, such as categories.
	OperatorEmails []string `env:"OPERATOR_EMAILS"`

	// Names that no new publisher may have, nor a name that looks like one, besides those of Sininho itself.
	ReservedNames []string `env:"RESERVED_NAMES"`

	// The mail server for the waiting list and membership invitations, and the sender of their emails. Without a mail
	// server the waiting list is closed, and membership invitations are not emailed.
	SMTPURL  string `env:"SMTP_URL"`
	MailFrom string `env:"MAIL_FROM"`

	// Who may sign up: "open" allows everyone, "invitation" only people who were invited from the waiting list.
	SignUp string `env:"SIGN_UP" envDefault:"open"`

	// How long access tokens are valid, in days: unless another time is given, and at most.
	AccessTokenDays    int `env:"ACCESS_TOKEN_DAYS" envDefault:"90"`
	AccessTokenMaxDays int `env:"ACCESS_TOKEN_MAX_DAYS" envDefault:"366"`

	// Whether event endpoints may be on this machine and use http, for development.
	EventEndpointsLoopback bool `env:"EVENT_ENDPOINTS_LOOPBACK" envDefault:"false"`

	// Events a second that all nodes together post to one host, over all publishers.
	EventQuota int `env:"EVENT_QUOTA_PER_SECOND" envDefault:"300"`

	// Whether the server fetches publishers' pictures for readers, and how much memory the fetched ones may take.
	PictureProxy bool `env:"PICTURE_PROXY" envDefault:"true"`
	PictureCache int  `env:"PICTURE_CACHE_MIB" envDefault:"64"`

	// External services. The default addresses are Google's.
	FirebaseCredentialsFile string `env:"FIREBASE_CREDENTIALS_FILE"`
	FCMEndpoint             string `env:"FCM_ENDPOINT"`
	FCMQuota                int    `env:"FCM_QUOTA_PER_MINUTE" envDefault:"600000"`
	GoogleAuthURL           string `env:"GOOGLE_AUTH_URL" envDefault:"https://accounts.google.com/o/oauth2/v2/auth"`
	GoogleTokenURL          string `env:"GOOGLE_TOKEN_URL" envDefault:"https://oauth2.googleapis.com/token"`
	GoogleUserInfoURL       string `env:"GOOGLE_USERINFO_URL" envDefault:"https://openidconnect.googleapis.com/v1/userinfo"`

	// Requests per minute: of a caller, of a publisher or person, of a webhook, and of one sender to an unsigned
	// webhook.
	Limits               bool `env:"LIMITS" envDefault:"true"`
	LimitReads           int  `env:"LIMIT_READS_PER_MINUTE" envDefault:"600"`
	LimitWrites          int  `env:"LIMIT_WRITES_PER_MINUTE" envDefault:"120"`
	LimitPublishes       int  `env:"LIMIT_PUBLISHES_PER_MINUTE" envDefault:"6000"`
	LimitWebhook         int  `env:"LIMIT_WEBHOOK_PER_MINUTE" envDefault:"120"`
	LimitUnsignedWebhook int  `env:"LIMIT_UNSIGNED_WEBHOOK_PER_MINUTE" envDefault:"10"`

	// Requests to join the waiting list per minute, from one IP address.
	LimitJoins int `env:"LIMIT_JOINS_PER_MINUTE" envDefault:"5"`

	// Addresses that a person can invite per day to be members of publishers, and that can be invited to one publisher.
	LimitInvitations int `env:"LIMIT_INVITATIONS_PER_DAY" envDefault:"50"`

	// Failed credentials from one IP address, after which it must wait a minute for each further one.
	LimitFailedCredentials int `env:"LIMIT_FAILED_CREDENTIALS" envDefault:"30"`

	// Live streams open at the same time: of a signed-in person, and of an address's visitors or a publisher.
	LimitSubscriberStreams int `env:"LIMIT_STREAMS_PER_SUBSCRIBER" envDefault:"30"`
	LimitAddressStreams    int `env:"LIMIT_STREAMS_PER_ADDRESS" envDefault:"100"`

	// How many things a person, a publisher or a channel may have.
	CapDevices        int `env:"LIMIT_DEVICES_PER_SUBSCRIBER" envDefault:"100"`
	CapAccessTokens   int `env:"LIMIT_ACCESS_TOKENS_PER_SUBSCRIBER" envDefault:"100"`
	CapPublishers     int `env:"LIMIT_PUBLISHERS_PER_SUBSCRIBER" envDefault:"20"`
	CapSubscriptions  int `env:"LIMIT_SUBSCRIPTIONS_PER_SUBSCRIBER" envDefault:"2000"`
	CapChannels       int `env:"LIMIT_CHANNELS_PER_PUBLISHER" envDefault:"1000"`
	CapAPIKeys        int `env:"LIMIT_API_KEYS_PER_PUBLISHER" envDefault:"100"`
	CapEventEndpoints int `env:"LIMIT_EVENT_ENDPOINTS_PER_PUBLISHER" envDefault:"20"`
	CapWebhooks       int `env:"LIMIT_WEBHOOKS_PER_CHANNEL" envDefault:"50"`
}

// ConfigError lists every setting that is missing or invalid.
type ConfigError struct{ Problems []string }

func (e *ConfigError) Error() string {
	return "Invalid env provided\n  " + strings.Join(e.Problems, "\n  ")
}

// ReadConfig reads the settings from environment variables and reports every fault at once, as a *ConfigError.
func ReadConfig(environment map[string]string) (Config, error) {
	var c Config
	var p problems
	p.parse(env.ParseWithOptions(&c, env.Options{Environment: environment}))
	if c.DatabaseDirectURL == "" {
		c.DatabaseDirectURL = c.DatabaseURL
	}
	for i, s := range c.DatabaseReplicas {
		c.DatabaseReplicas[i] = strings.TrimSpace(s)
	}
	c.PublicURL = strings.TrimSuffix(asBrowsersWrite(c.PublicURL), "/")
	c.APIBaseURL = asBrowsersWrite(c.APIBaseURL)
	c.check(&p)
	c.APIBaseURL = cmp.Or(c.APIBaseURL, c.PublicURL+"/api/v1")
	c.WaitlistAPIBaseURL = cmp.Or(c.WaitlistAPIBaseURL, c.PublicURL+"/api/v1")
	if len(p) > 0 {
		slices.Sort(p)
		return c, &ConfigError{p}
	}
	return c, nil
}

// Environment returns the environment of this process.
func Environment() map[string]string { return env.ToMap(os.Environ()) }

type problems []string

func (p *problems) add(name, problem string) { *p = append(*p, name+": "+problem) }

// parse adds the errors of the parser in readable words.
func (p *problems) parse(err error) {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return
	}
	for _, err := range all.Errors {
		var missing env.VarIsNotSetError
		var empty env.EmptyVarError
		var wrong env.ParseError
		switch {
		case errors.As(err, &missing):
			p.add(missing.Key, "is required")
		case errors.As(err, &empty):
			p.add(empty.Key, "is empty")
		case errors.As(err, &wrong):
			p.add(variable(wrong.Name), fmt.Sprintf("must be of the type %s", wrong.Type))
		default:
			*p = append(*p, err.Error())
		}
	}
}

// variable returns the name of a field's environment variable.
func variable(field string) string {
	f, _ := reflect.TypeFor[Config]().FieldByName(field)
	name, _, _ := strings.Cut(f.Tag.Get("env"), ",")
	return name
}

// check validates the values that are set.
func (c Config) check(p *problems) {
	c.checkAddresses(p)
	for name, value := range map[string]string{
		"DATABASE_URL": c.DatabaseURL, "DATABASE_DIRECT_URL": c.DatabaseDirectURL,
	} {
		if value != "" && !isPostgres(value) {
			p.add(name, "must be an address such as postgres://user:password@host:5432/database")
		}
	}
	if c.NATSURL != "" && relay.CheckURL(c.NATSURL) != nil {
		p.add("NATS_URL", relay.CheckURL(c.NATSURL).Error())
	}
	if slices.ContainsFunc(c.DatabaseReplicas, func(s string) bool { return !isPostgres(s) }) {
		p.add("DATABASE_REPLICA_URLS",
			"must be addresses such as postgres://user:password@host:5432/database, separated by commas")
	}
	if _, err := c.secretKey(); c.SecretKey != "" && err != nil {
		p.add("SECRET_KEY", err.Error())
	}
	if _, err := c.proxies(); err != nil {
		p.add("TRUSTED_PROXIES", err.Error())
	}
	if _, err := c.operators(); err != nil {
		p.add("OPERATOR_EMAILS", err.Error())
	}
	if c.logLevel() == nil {
		p.add("LOG_LEVEL", "must be debug, info, warn or error")
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		p.add("LOG_FORMAT", "must be text or json")
	}
	if c.FirebaseCredentialsFile != "" {
		if _, err := os.ReadFile(c.FirebaseCredentialsFile); err != nil {
			p.add("FIREBASE_CREDENTIALS_FILE", err.Error())
		}
	}
	c.checkMail(p)
	c.checkNumbers(p)
}

func isPostgres(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql")
}

// checkMail validates the settings of the waiting list.
func (c Config) checkMail(p *problems) {
	if c.SMTPURL != "" && mail.CheckURL(c.SMTPURL) != nil {
		p.add("SMTP_URL", mail.CheckURL(c.SMTPURL).Error())
	}
	if c.SMTPURL != "" && c.MailFrom == "" {
		p.add("MAIL_FROM", "is required with SMTP_URL")
	}
	if _, err := netmail.ParseAddress(c.MailFrom); c.MailFrom != "" && err != nil {
		p.add("MAIL_FROM", "must be an email address such as Sininho <sininho@example.com>")
	}
	if c.SignUp != signUpOpen && c.SignUp != signUpInvitation {
		p.add("SIGN_UP", "must be open or invitation")
	}
	if c.SignUp == signUpInvitation && c.SMTPURL == "" {
		p.add("SIGN_UP", "invitation requires SMTP_URL, to send invitations")
	}
}

// Values of SIGN_UP.
const (
	signUpOpen       = "open"
	signUpInvitation = "invitation"
)

// maxTokenDays is ten years: an access token is not meant to be valid forever.
const maxTokenDays = 3653

func (c Config) checkNumbers(p *problems) {
	for name, value := range map[string]int{
		"DATABASE_CONNECTIONS": int(c.DatabaseConns), "FCM_QUOTA_PER_MINUTE": c.FCMQuota,
		"EVENT_QUOTA_PER_SECOND": c.EventQuota,
		"ACCESS_TOKEN_DAYS":      c.AccessTokenDays, "ACCESS_TOKEN_MAX_DAYS": c.AccessTokenMaxDays,
		"LIMIT_READS_PER_MINUTE": c.LimitReads, "LIMIT_WRITES_PER_MINUTE": c.LimitWrites,
		"LIMIT_PUBLISHES_PER_MINUTE": c.LimitPublishes, "LIMIT_WEBHOOK_PER_MINUTE": c.LimitWebhook,
		"LIMIT_UNSIGNED_WEBHOOK_PER_MINUTE": c.LimitUnsignedWebhook,
		"LIMIT_FAILED_CREDENTIALS":          c.LimitFailedCredentials,
		"PICTURE_CACHE_MIB":                 c.PictureCache,
		"LIMIT_STREAMS_PER_SUBSCRIBER":      c.LimitSubscriberStreams,
		"LIMIT_STREAMS_PER_ADDRESS":         c.LimitAddressStreams, "LIMIT_JOINS_PER_MINUTE": c.LimitJoins,
		"LIMIT_DEVICES_PER_SUBSCRIBER": c.CapDevices, "LIMIT_ACCESS_TOKENS_PER_SUBSCRIBER": c.CapAccessTokens,
		"LIMIT_PUBLISHERS_PER_SUBSCRIBER": c.CapPublishers, "LIMIT_SUBSCRIPTIONS_PER_SUBSCRIBER": c.CapSubscriptions,
		"LIMIT_CHANNELS_PER_PUBLISHER": c.CapChannels, "LIMIT_API_KEYS_PER_PUBLISHER": c.CapAPIKeys,
		"LIMIT_EVENT_ENDPOINTS_PER_PUBLISHER": c.CapEventEndpoints, "LIMIT_WEBHOOKS_PER_CHANNEL": c.CapWebhooks,
		"LIMIT_INVITATIONS_PER_DAY": c.LimitInvitations,
	} {
		if value < 1 {
			p.add(name, "must be a number greater than 0")
		}
	}
	if c.ShutdownDelay < 0 {
		p.add("SHUTDOWN_DELAY_SECONDS", "must not be negative")
	}
	if c.AccessTokenDays > c.AccessTokenMaxDays {
		p.add("ACCESS_TOKEN_DAYS", "must not be greater than ACCESS_TOKEN_MAX_DAYS")
	}
	if c.AccessTokenMaxDays > maxTokenDays {
		p.add("ACCESS_TOKEN_MAX_DAYS", fmt.Sprintf("must not be greater than %d", maxTokenDays))
	}
}

func (c Config) caps() core.Caps {
	return core.Caps{core.CapDevices: c.CapDevices, core.CapAccessTokens: c.CapAccessTokens,
		core.CapPublishers: c.CapPublishers, core.CapSubscriptions: c.CapSubscriptions, core.CapChannels: c.CapChannels,
		core.CapAPIKeys: c.CapAPIKeys, core.CapEventEndpoints: c.CapEventEndpoints, core.CapWebhooks: c.CapWebhooks}
}

func (c Config) secretKey() ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(c.SecretKey)
	if err != nil || len(key) != 32 {
		return nil, errors.New("must be 32 bytes in base64; create one with `openssl rand -base64 32`")
	}
	if bytes.Count(key, key[:1]) == len(key) {
		return nil, errors.New("must be random; create one with `openssl rand -base64 32`")
	}
	return key, nil
}

func (c Config) proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range c.TrustedProxies {
		if addr, err := netip.ParseAddr(s); err == nil {
			out = append(out, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("invalid address or network %q; one such as 10.0.0.0/8 is expected", s)
		}
		out = append(out, prefix)
	}
	return out, nil
}

// operators returns the email addresses of the operators.
func (c Config) operators() ([]string, error) {
	var out []string
	for _, s := range c.OperatorEmails {
		s = strings.TrimSpace(s)
		if a, err := netmail.ParseAddress(s); err != nil || a.Address != s {
			return nil, fmt.Errorf("invalid email address %q", s)
		}
		out = append(out, s)
	}
	return out, nil
}

func (c Config) logLevel() *slog.Level {
	var l slog.Level
	if l.UnmarshalText([]byte(c.LogLevel)) != nil {
		return nil
	}
	return &l
}

// Logger returns a logger with the level and format of the settings.
func (c Config) Logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: c.logLevel()}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

// publicSettings returns the settings that are sent to browsers, by the names of their variables, without the empty
// ones.
func (c Config) publicSettings() map[string]string {
	public := map[string]string{
		"DEMO_WEBHOOK_URL":             c.DemoWebhookURL,
		"FIREBASE_API_KEY":             c.FirebaseAPIKey,
		"FIREBASE_AUTH_DOMAIN":         c.FirebaseAuthDomain,
		"FIREBASE_PROJECT_ID":          c.FirebaseProjectID,
		"FIREBASE_MESSAGING_SENDER_ID": c.FirebaseMessagingSenderID,
		"FIREBASE_APP_ID":              c.FirebaseAppID,
		"FIREBASE_STORAGE_BUCKET":      c.FirebaseStorageBucket,
		"FIREBASE_VAPID_PUBLIC_KEY":    c.FirebaseVAPIDPublicKey,
		"POSTHOG_API_KEY":              c.PostHogAPIKey,
		"POSTHOG_HOST":                 c.PostHogHost,
		"API_BASE_URL":                 c.APIBaseURL,
		"WAITLIST_API_BASE_URL":        c.WaitlistAPIBaseURL,
		"SUPPORT_URL":                  c.SupportURL,
		"WAITLIST":                     c.waitlist(),
		"SIGN_UP":                      c.SignUp,
	}
	maps.DeleteFunc(public, func(_, value string) bool { return value == "" })
	return public
}

// waitlist returns whether the waiting list is open or closed, for the web app.
func (c Config) waitlist() string {
	if c.SMTPURL == "" {
		return "closed"
	}
	return "open"
}

// ReadMigrateConfig reads the settings of `migrate`. It does not require DEMO_WEBHOOK_URL, because `migrate` prints it.
func ReadMigrateConfig(environment map[string]string) (Config, error) {
	c, err := ReadConfig(environment)
	var wrong *ConfigError
	if !errors.As(err, &wrong) {
		return c, err
	}
	return c, wrong.without(func(name string) bool {
		needed := []string{"DATABASE_URL", "DATABASE_DIRECT_URL", "PUBLIC_URL", "SECRET_KEY", "LOG_LEVEL", "LOG_FORMAT"}
		return !slices.Contains(needed, name)
	})
}

// ReadWaitlistConfig reads the settings of the waiting list when it is served alone. It requires a mail server, and
// nothing for Google, Firebase or PostHog.
func ReadWaitlistConfig(environment map[string]string) (Config, error) {
	c, err := ReadConfig(environment)
	var wrong *ConfigError
	if err != nil && !errors.As(err, &wrong) {
		return c, err
	}
	if wrong == nil {
		wrong = &ConfigError{}
	}
	if c.SMTPURL == "" {
		wrong.Problems = append(wrong.Problems, "SMTP_URL: is required")
	}
	return c, wrong.without(func(name string) bool {
		return name == "DEMO_WEBHOOK_URL" || strings.HasPrefix(name, "GOOGLE_") ||
			strings.HasPrefix(name, "FIREBASE_") ||
			strings.HasPrefix(name, "FCM_") || strings.HasPrefix(name, "POSTHOG_")
	})
}

// without returns the error without the problems of unneeded settings, or nil when none remain.
func (e *ConfigError) without(unneeded func(name string) bool) error {
	problems := slices.DeleteFunc(slices.Clone(e.Problems), func(problem string) bool {
		name, _, _ := strings.Cut(problem, ":")
		return unneeded(name)
	})
	if len(problems) == 0 {
		return nil
	}
	return &ConfigError{problems}
}
