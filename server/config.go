// Package server assembles Sininho's server: its settings (settings.go, config.go) and its wiring (server.go), nothing
// else.
package server

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
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

// ConfigError lists every setting that is missing or invalid.
type ConfigError struct{ Problems []string }

func (e *ConfigError) Error() string {
	return "Invalid env provided\n  " + strings.Join(e.Problems, "\n  ")
}

// ReadConfig reads the settings from environment variables and the files that they name, and reports every fault at
// once, as a *ConfigError.
func ReadConfig(environment map[string]string) (Config, error) {
	var c Config
	var p problems
	environment, c.sources = withFiles(environment, &p)
	environment = withoutBlanks(environment)
	p.parse(env.ParseWithOptions(&c, env.Options{Environment: environment}))
	if c.DatabaseDirectURL == "" {
		c.DatabaseDirectURL = c.DatabaseURL
	}
	if c.Secured() && c.sources["LISTEN_ADDR"] == "" {
		c.ListenAddr = httpsAddr
	}
	for _, list := range [][]string{c.DatabaseReplicas, c.Push, c.SignIn, c.LinkSchemes, c.CompatibleWith} {
		for i, s := range list {
			list[i] = strings.TrimSpace(s)
		}
	}
	c.PublicURL = strings.TrimSuffix(asBrowsersWrite(c.PublicURL), "/")
	c.APIBaseURL = asBrowsersWrite(c.APIBaseURL)
	c.check(&p)
	c.APIBaseURL = cmp.Or(c.APIBaseURL, c.PublicURL+"/api/v1")
	c.WaitlistAPIBaseURL = cmp.Or(c.WaitlistAPIBaseURL, c.PublicURL+"/api/v1")
	if p = p.withoutUnread().withoutUnused(c).withoutOwn(c); len(p) > 0 {
		slices.Sort(p)
		return c, &ConfigError{p}
	}
	return c, nil
}

// withoutBlanks empties required settings that have nothing but white space, so that they are reported as empty.
func withoutBlanks(environment map[string]string) map[string]string {
	fields, err := env.GetFieldParams(&Config{})
	if err != nil {
		return environment // cannot happen: the fields are those of a constant type
	}
	filled := maps.Clone(environment)
	for _, field := range fields {
		if value, given := filled[field.Key]; given && field.NotEmpty && strings.TrimSpace(value) == "" {
			filled[field.Key] = ""
		}
	}
	return filled
}

// Environment returns the environment of this process.
func Environment() map[string]string { return env.ToMap(os.Environ()) }

type problems []string

func (p *problems) add(name, problem string) { *p = append(*p, name+": "+problem) }

// has reports whether a setting has a problem already.
func (p *problems) has(name string) bool {
	return slices.ContainsFunc(*p, func(known string) bool { return strings.HasPrefix(known, name+": ") })
}

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
			p.add(settingOf(wrong.Name), "must be "+inWords(wrong.Type))
		default:
			*p = append(*p, err.Error())
		}
	}
}

// inWords names the values of a type.
func inWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32:
		return "a whole number"
	default:
		return "of the type " + t.String()
	}
}

// check validates the values that are set.
func (c Config) check(p *problems) {
	c.checkAddresses(p)
	c.checkPolicies(p)
	c.checkModes(p)
	c.checkCompatible(p)
	c.checkDataDir(p)
	c.checkTLS(p)
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
	if !isListenable(c.ListenAddr) {
		p.add("LISTEN_ADDR", "must be an address such as :8080 or 127.0.0.1:8080")
	}
	if c.logLevel() == nil {
		p.add("LOG_LEVEL", "must be debug, info, warn or error")
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		p.add("LOG_FORMAT", "must be text or json")
	}
	if c.FirebaseCredentials != "" && !json.Valid([]byte(c.FirebaseCredentials)) {
		p.add("FIREBASE_CREDENTIALS", "must be the JSON document of a service account's key")
	}
	c.checkObserver(p)
	c.checkMail(p)
	c.checkAccounts(p)
	c.checkNumbers(p)
}

// isListenable reports whether a server can listen on an address: a port, with or without a host.
func isListenable(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err == nil && (port == "0" || isPort(port))
}

// checkObserver validates the settings of metrics and traces.
func (c Config) checkObserver(p *problems) {
	if c.MetricsAddr != "" && !isListenable(c.MetricsAddr) {
		p.add("METRICS_ADDR", "must be an address such as 127.0.0.1:9464")
	}
	if c.MetricsAddr != "" && c.MetricsAddr == c.ListenAddr && !strings.HasSuffix(c.ListenAddr, ":0") {
		p.add("METRICS_ADDR", "must be another address than LISTEN_ADDR, because it must not be public")
	}
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": c.OTLPEndpoint, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.OTLPTracesEndpoint,
	} {
		u, err := url.Parse(value)
		if value != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			p.add(name, "must be an address such as http://localhost:4318")
		}
	}
}

// tracesEndpoint returns the address to which traces are exported, or "".
func (c Config) tracesEndpoint() string {
	if c.OTLPTracesEndpoint == "" && c.OTLPEndpoint != "" {
		return strings.TrimSuffix(c.OTLPEndpoint, "/") + "/v1/traces"
	}
	return c.OTLPTracesEndpoint
}

func isPostgres(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql")
}

// checkMail validates the settings of emails.
func (c Config) checkMail(p *problems) {
	if mode := mail.TLSMode(c.SMTPTLS); !mode.Valid() {
		p.add("SMTP_TLS", "must be verify, unverified or off")
	} else if err := mail.CheckURL(c.SMTPURL, mode); c.SMTPURL != "" && err != nil {
		p.add("SMTP_URL", err.Error())
	}
	if c.SMTPURL != "" && c.MailFrom == "" {
		p.add("MAIL_FROM", "is required with SMTP_URL")
	}
	if _, err := netmail.ParseAddress(c.MailFrom); c.MailFrom != "" && err != nil {
		p.add("MAIL_FROM", "must be an email address such as Sininho <sininho@example.com>")
	}
	if c.signsInBy(core.SignInEmail) && c.SMTPURL == "" {
		p.add("SMTP_URL", "is required with SIGN_IN=email, to send codes")
	}
}

// checkAccounts validates who may sign up and who may publish.
func (c Config) checkAccounts(p *problems) {
	if c.SignUp != signUpOpen && c.SignUp != signUpInvitation {
		p.add("SIGN_UP", "must be open or invitation")
	}
	if c.SignUp == signUpInvitation && c.SMTPURL == "" {
		p.add("SIGN_UP", "invitation requires SMTP_URL, to send invitations")
	}
	if !core.Admission(c.Publishers).Valid() {
		p.add("PUBLISHERS", "must be open, invitation or request")
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
		"WEB_PUSH_QUOTA_PER_MINUTE": c.WebPushQuota,
		"EVENT_QUOTA_PER_SECOND":    c.EventQuota,
		"ACCESS_TOKEN_DAYS":         c.AccessTokenDays, "ACCESS_TOKEN_MAX_DAYS": c.AccessTokenMaxDays,
		"LIMIT_READS_PER_MINUTE": c.LimitReads, "LIMIT_WRITES_PER_MINUTE": c.LimitWrites,
		"LIMIT_PUBLISHES_PER_MINUTE": c.LimitPublishes, "LIMIT_WEBHOOK_PER_MINUTE": c.LimitWebhook,
		"LIMIT_UNSIGNED_WEBHOOK_PER_MINUTE": c.LimitUnsignedWebhook,
		"LIMIT_FAILED_CREDENTIALS":          c.LimitFailedCredentials,
		"PICTURE_CACHE_MIB":                 c.PictureCache,
		"LIMIT_STREAMS_PER_SUBSCRIBER":      c.LimitSubscriberStreams,
		"LIMIT_CONNECTIONS_PER_NETWORK":     c.LimitNetworkConnections,
		"LIMIT_STREAMS_PER_ADDRESS":         c.LimitAddressStreams, "LIMIT_JOINS_PER_MINUTE": c.LimitJoins,
		"LIMIT_PICTURES_PER_MINUTE":                c.LimitPictures,
		"LIMIT_DEVICES_PER_SUBSCRIBER":             c.CapDevices,
		"LIMIT_UNCONFIRMED_DEVICES_PER_SUBSCRIBER": c.CapUnconfirmed,
		"LIMIT_ACCESS_TOKENS_PER_SUBSCRIBER":       c.CapAccessTokens,
		"LIMIT_PUBLISHERS_PER_SUBSCRIBER":          c.CapPublishers,
		"LIMIT_SUBSCRIPTIONS_PER_SUBSCRIBER":       c.CapSubscriptions,
		"LIMIT_SNOOZED_PER_SUBSCRIBER":             c.CapSnoozed,
		"LIMIT_CHANNELS_PER_PUBLISHER":             c.CapChannels, "LIMIT_API_KEYS_PER_PUBLISHER": c.CapAPIKeys,
		"LIMIT_EVENT_ENDPOINTS_PER_PUBLISHER": c.CapEventEndpoints, "LIMIT_WEBHOOKS_PER_CHANNEL": c.CapWebhooks,
		"LIMIT_INVITATIONS_PER_CHANNEL": c.CapInvitations, "LIMIT_JOIN_REQUESTS_PER_CHANNEL": c.CapRequests,
		"LIMIT_DRAFTS_PER_CHANNEL": c.CapDrafts, "LIMIT_TEMPLATES_PER_CHANNEL": c.CapTemplates,
		"LIMIT_INVITATIONS_PER_DAY": c.LimitInvitations, "EMAILS_PER_DAY": c.EmailsPerDay,
	} {
		if value < 1 && !p.has(name) { // it is 0 if it is not a number
			p.add(name, "must be a number greater than 0")
		}
	}
	for name, value := range map[string]int{
		"RETENTION_DAYS": c.RetentionDays, "RETENTION_COUNT": c.RetentionCount,
		"DELIVERY_RETENTION_DAYS": c.DeliveryRetentionDays, "STORAGE_QUOTA_MIB": c.StorageQuota,
	} {
		if value < 0 {
			p.add(name, "must not be negative; 0 is no limit")
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
	return core.Caps{core.CapDevices: c.CapDevices, core.CapUnconfirmed: c.CapUnconfirmed,
		core.CapAccessTokens: c.CapAccessTokens, core.CapPublishers: c.CapPublishers,
		core.CapSubscriptions: c.CapSubscriptions, core.CapChannels: c.CapChannels, core.CapAPIKeys: c.CapAPIKeys,
		core.CapEventEndpoints: c.CapEventEndpoints, core.CapWebhooks: c.CapWebhooks,
		core.CapInvitations: c.CapInvitations, core.CapRequests: c.CapRequests, core.CapSnoozed: c.CapSnoozed,
		core.CapDrafts: c.CapDrafts, core.CapTemplates: c.CapTemplates}
}

func (c Config) retention() core.Retention {
	return core.Retention{Days: c.RetentionDays, Count: c.RetentionCount, DeliveryDays: c.DeliveryRetentionDays}
}

// storageQuota is in bytes.
func (c Config) storageQuota() int64 { return int64(c.StorageQuota) << 20 }

func (c Config) secretKey() ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(c.SecretKey)
	if err != nil || len(key) != 32 {
		return nil, errors.New("must be 32 bytes in base64; create one with `openssl rand -base64 32`")
	}
	if different := len(slices.Compact(slices.Sorted(slices.Values(key)))); different < leastDifferent {
		return nil, fmt.Errorf(
			"must be random, but has only %d different bytes; create one with `openssl rand -base64 32`", different)
	}
	return key, nil
}

// leastDifferent is how many different bytes a secret key has at least. Random ones have fewer once in thousands of
// millions, while a repeated word and 32 hexadecimal digits always do.
const leastDifferent = 17

func (c Config) proxies() ([]netip.Prefix, error) { return networks(c.TrustedProxies) }

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
// and the unused ones.
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
		"PUSH":                         strings.Join(c.Push, ","),
		"ANALYTICS":                    c.Analytics,
		"POSTHOG_API_KEY":              c.PostHogAPIKey,
		"POSTHOG_HOST":                 c.PostHogHost,
		"API_BASE_URL":                 c.APIBaseURL,
		"WAITLIST_API_BASE_URL":        c.WaitlistAPIBaseURL,
		"LINK_SCHEMES":                 strings.Join(c.LinkSchemes, ","),
		"SUPPORT_URL":                  c.SupportURL,
		"PRIVACY":                      policyLink(c.Privacy, "/privacy"),
		"TERMS":                        policyLink(c.Terms, "/terms"),
		"WAITLIST":                     c.waitlist(),
		"SIGN_UP":                      c.SignUp,
		"PUBLISHERS":                   c.Publishers,
	}
	unused := c.unused()
	maps.DeleteFunc(public, func(name, value string) bool { return value == "" || slices.Contains(unused, name) })
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
		needed := []string{"DATABASE_URL", "DATABASE_DIRECT_URL", "DATA_DIR", "PUBLIC_URL", "SECRET_KEY", "LOG_LEVEL",
			"LOG_FORMAT"}
		return !slices.Contains(needed, strings.TrimSuffix(name, fileSuffix))
	})
}

// ReadDatabaseConfig reads the settings of `backup` and `restore`, which need the database alone.
func ReadDatabaseConfig(environment map[string]string) (Config, error) {
	c, err := ReadConfig(environment)
	var wrong *ConfigError
	if !errors.As(err, &wrong) {
		return c, err
	}
	return c, wrong.without(func(name string) bool {
		return !strings.HasPrefix(name, "DATABASE_") && name != "DATA_DIR"
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
	if c.OwnDatabase() {
		wrong.Problems = append(wrong.Problems, "DATABASE_URL: is required, that of the main server")
	}
	return c, wrong.without(func(name string) bool {
		return name == "DEMO_WEBHOOK_URL" || strings.HasPrefix(name, "GOOGLE_") || strings.HasPrefix(name, "OIDC_") ||
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
