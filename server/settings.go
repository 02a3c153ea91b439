package server

// Config holds every setting. Each field names its environment variable; `sininho-server config check` reports missing
// and invalid ones. The comments below are the guide to the settings: `make generate` writes docs/settings.gen.md and
// .env.example from them, with the tags "example", "file" (a file that usually has the value), "when" (a setting is
// needed) and "secret". The tag "mode" names the choice of Services without which a part is not used.
type Config struct {
	Installation
	Certificates
	Services
	Observation
	Database
	Google   `mode:"SIGN_IN=google"`
	OpenID   `mode:"SIGN_IN=oidc"`
	Firebase `mode:"PUSH=fcm"`
	WebPush  `mode:"PUSH=webpush"`
	PostHog  `mode:"ANALYTICS=posthog"`
	Email
	Accounts
	Events
	Pictures
	S3 `mode:"UPLOADS=s3"`
	Retention
	RateLimits
	Caps

	sources map[string]string // of what is set, by name: "environment" or the path of a file
}

// Installation is the address of the installation, who operates it, and its logs.
type Installation struct {
	// Address at which people reach the installation: `https` and a host, without a path. `http` only for this machine.
	// It is required unless `LISTEN_ADDR` is on this machine alone.
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080" example:"https://sininho.example.com" when:"yes"`
	// 32 random bytes in base64, which encrypt the stored secrets of webhooks: `openssl rand -base64 32` makes them.
	// All servers of an installation share it. Without it those secrets cannot be read: keep it apart from backups of
	// the database.
	SecretKey string `env:"SECRET_KEY,required,notEmpty" secret:"true"`
	// Address of the webhook that the demonstration posts to. `sininho-server migrate` prints it.
	DemoWebhookURL string `env:"DEMO_WEBHOOK_URL,required,notEmpty"`
	// Address that the server listens on; with `TLS=auto` it is `:443` unless it is set.
	ListenAddr string `env:"LISTEN_ADDR" envDefault:":8080" example:"127.0.0.1:8080"`
	// Addresses or networks of proxies whose `X-Forwarded-For` is used, separated by commas.
	TrustedProxies []string `env:"TRUSTED_PROXIES" example:"127.0.0.1,::1" when:"behind a proxy"`
	// Where the web app finds the API, at the origin of `PUBLIC_URL`, because the session cookie is sent nowhere else.
	// Without it, `PUBLIC_URL` followed by `/api/v1`.
	APIBaseURL string `env:"API_BASE_URL" example:"https://sininho.example.com/api/v1"`
	// Where the web app finds the waiting list, which may be
	// [at an address of its own](waiting-list.md#at-an-address-of-its-own). Without it, `PUBLIC_URL` followed by
	// `/api/v1`.
	WaitlistAPIBaseURL string `env:"WAITLIST_API_BASE_URL" example:"https://espera.example.com/api/v1"`
	// People who may change the categories, [moderate](moderation.md) and invite from the waiting list: the email
	// addresses that they sign in with, separated by commas. Without it, the server prints a link for
	// [the first operator](production.md#passkeys) where people sign in with passkeys.
	OperatorEmails []string `env:"OPERATOR_EMAILS" example:"eva@example.com,rui@example.com"`
	// Names that no new publisher may have, nor a name that looks like one, separated by commas, besides
	// [those of Sininho](moderation.md#reserved-names).
	ReservedNames []string `env:"RESERVED_NAMES" example:"acme,example"`
	// Schemes of links that notifications may have besides `https`, `http`, `mailto` and `tel`, separated by commas.
	LinkSchemes []string `env:"LINK_SCHEMES" example:"ssh,matrix"`
	// Where people get help: a page, or an email address.
	SupportURL string `env:"SUPPORT_URL" example:"mailto:help@example.com"`
	// How the data of people is treated: the address of a page, or the text itself in
	// [Markdown](production.md#privacy-and-terms), usually in the file that `PRIVACY_FILE` names, which the app shows
	// at `/privacy`. Without it, there is no such page, and no link to one.
	Privacy string `env:"PRIVACY" example:"https://example.com/privacy"`
	// The terms of use, in the same way, at `/terms`.
	Terms string `env:"TERMS" example:"https://example.com/terms"`
	// Where vulnerabilities of the installation are reported: an `https` address, or an email address.
	// `/.well-known/security.txt` names it. Without it, `SUPPORT_URL`.
	SecurityContact string `env:"SECURITY_CONTACT" example:"mailto:security@example.com"`
	// Other notification servers whose programs work with this one too, at the root of `PUBLIC_URL`, separated by
	// commas: [`ntfy`](compatibility.md#ntfy), [`gotify`](compatibility.md#gotify). Without it, none.
	CompatibleWith []string `env:"COMPATIBLE_WITH" example:"ntfy,gotify"`
	// Seconds that a server that is stopped goes on, while `/readyz` responds with 503, so that proxies turn to others
	// before it refuses connections.
	ShutdownDelay int `env:"SHUTDOWN_DELAY_SECONDS" envDefault:"0" example:"10"`
	// The least urgent messages that are logged: `debug`, `info`, `warn` or `error`.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info" example:"warn"`
	// How messages are logged: `text` or `json`.
	LogFormat string `env:"LOG_FORMAT" envDefault:"text" example:"json"`
}

// Certificates are for [https without a proxy](production.md#https-without-a-proxy).
type Certificates struct {
	// `auto` gets a certificate for the host of `PUBLIC_URL`, renews it and keeps it in `DATA_DIR`. You agree to the
	// terms of the authority by it. `off` leaves https to a proxy.
	TLS string `env:"TLS" envDefault:"off" example:"auto"`
	// With `TLS=auto`: address of plain http, which is redirected to `PUBLIC_URL`.
	HTTPAddr string `env:"HTTP_ADDR" envDefault:":80" example:"0.0.0.0:80"`
	// Directory of the certificate authority, which speaks ACME.
	ACMEDirectory string `env:"ACME_DIRECTORY_URL" envDefault:"https://acme-v02.api.letsencrypt.org/directory" example:"https://ca.example.com/acme/acme/directory"`
	// Certificates in PEM that the directory's own is signed with, of a private authority: usually read from the file
	// that `ACME_CA_FILE` names. Without it, those that the machine trusts.
	ACMECA string `env:"ACME_CA" file:"/etc/sininho/acme-ca.pem"`
}

// Services are those outside that the installation uses. What each of them needs is in its own section.
type Services struct {
	// How people sign in: `google`, `oidc` with accounts at [other providers](production.md#openid-providers), `email`
	// with [a code sent to them](production.md#signing-in-by-email), which needs no account, `passkey` with
	// [a passkey](production.md#passkeys), which needs nothing, or several of these with commas between. Who signed in
	// another way before can no longer sign in.
	SignIn []string `env:"SIGN_IN" envDefault:"google" example:"google,email"`
	// What takes pushes: `fcm` for Firebase Cloud Messaging, `webpush` for the browsers' own push services, which needs
	// no account, or both with a comma between. With both, browsers subscribe by Web Push, and devices that were
	// registered before keep Firebase.
	Push []string `env:"PUSH" envDefault:"fcm" example:"webpush"`
	// Where analytics are sent: `posthog`, or `off` for nowhere.
	Analytics string `env:"ANALYTICS" envDefault:"posthog" example:"off"`
	// Where the pictures are that publishers upload: in the `database`, or in a bucket of an `s3`-compatible store.
	// Those that were uploaded before stay where they are: choose before there are any.
	Uploads string `env:"UPLOADS" envDefault:"database" example:"s3"`
}

// Observation is for [metrics](metrics.md), profiles and [traces](metrics.md#traces).
type Observation struct {
	// Address of metrics and profiles, which must not be reachable from outside. Without it, there are none.
	MetricsAddr string `env:"METRICS_ADDR" example:"127.0.0.1:9464"`
	// Where traces are exported to, by OTLP over HTTP. Without it, nowhere. OpenTelemetry reads its other variables
	// itself.
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" example:"http://localhost:4318"`
	// The whole address of traces, if it does not follow from that.
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" example:"http://localhost:4318/v1/traces"`
}

// Database is PostgreSQL, and what carries signals between servers.
type Database struct {
	// Address of the PostgreSQL database. Not needed with `DATA_DIR`.
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty" example:"postgres://sininho:password@localhost:5432/sininho" secret:"true"`
	// Directory of what one server keeps by itself, as an absolute path. Without `DATABASE_URL`, that is
	// [a PostgreSQL of its own](production.md#the-servers-own-database), and `DEMO_WEBHOOK_URL` is not needed either.
	DataDir string `env:"DATA_DIR" example:"/var/lib/sininho"`
	// Address of the same database without the pooler. Without it, `DATABASE_URL`.
	DatabaseDirectURL string `env:"DATABASE_DIRECT_URL" example:"postgres://sininho:password@localhost:5432/sininho" when:"with a pooler" secret:"true"`
	// Addresses of [read replicas](production.md#read-replicas), separated by commas.
	DatabaseReplicas []string `env:"DATABASE_REPLICA_URLS" example:"postgres://sininho:password@10.0.0.2:5432/sininho" secret:"true"`
	// Connections to the database, at most, of one server, and as many to each replica.
	DatabaseConns int32 `env:"DATABASE_CONNECTIONS" envDefault:"32" example:"64"`
	// [NATS](scaling.md#nats) for the signals between servers, with encryption by `tls://`; several addresses of a
	// cluster with commas between. Without it, signals go through the database.
	NATSURL string `env:"NATS_URL" example:"nats://user:password@localhost:4222" secret:"true"`
}

// Google is for signing in ([how to get them](production.md#2-google-signing-in)).
type Google struct {
	// Client ID of the OAuth client.
	GoogleClientID string `env:"GOOGLE_CLIENT_ID,required,notEmpty" example:"1234567890-abc.apps.googleusercontent.com"`
	// Client secret of the OAuth client.
	GoogleSecret string `env:"GOOGLE_SECRET,required,notEmpty" example:"GOCSPX-abc" secret:"true"`
	// Address where people sign in; another one is for stand-ins.
	GoogleAuthURL string `env:"GOOGLE_AUTH_URL" envDefault:"https://accounts.google.com/o/oauth2/v2/auth"`
	// Address where the server gets tokens; another one is for stand-ins.
	GoogleTokenURL string `env:"GOOGLE_TOKEN_URL" envDefault:"https://oauth2.googleapis.com/token"`
	// Address where the server learns who has signed in; another one is for stand-ins.
	GoogleUserInfoURL string `env:"GOOGLE_USERINFO_URL" envDefault:"https://openidconnect.googleapis.com/v1/userinfo"`
}

// OpenID is for signing in with accounts at [OpenID providers](production.md#openid-providers).
type OpenID struct {
	// The providers, as a JSON list: usually read from the file that `OIDC_PROVIDERS_FILE` names. Each has an `id` in
	// addresses, such as `acme`, a `name` on its button, its `issuer`, and the `clientId` and `clientSecret` that it
	// gave, and `trustEmail` with the value `true` if it does not report addresses as
	// [verified](production.md#openid-providers) and people cannot choose theirs. Its redirect address is `PUBLIC_URL`
	// followed by `/api/v1/auth/oidc/acme/callback`.
	OIDCProviders string `env:"OIDC_PROVIDERS,required,notEmpty" file:"/etc/sininho/oidc.json" secret:"true"`
}

// Firebase is for pushing ([how to get them](production.md#3-firebase-pushing)).
type Firebase struct {
	// `apiKey` of the web app's `firebaseConfig`.
	FirebaseAPIKey string `env:"FIREBASE_API_KEY,required,notEmpty" example:"AIzaSyAbc"`
	// `authDomain` of the `firebaseConfig`.
	FirebaseAuthDomain string `env:"FIREBASE_AUTH_DOMAIN,required,notEmpty" example:"example.firebaseapp.com"`
	// `projectId` of the `firebaseConfig`.
	FirebaseProjectID string `env:"FIREBASE_PROJECT_ID,required,notEmpty" example:"example"`
	// `storageBucket` of the `firebaseConfig`.
	FirebaseStorageBucket string `env:"FIREBASE_STORAGE_BUCKET,required,notEmpty" example:"example.appspot.com"`
	// `messagingSenderId` of the `firebaseConfig`.
	FirebaseMessagingSenderID string `env:"FIREBASE_MESSAGING_SENDER_ID,required,notEmpty" example:"123456789012"`
	// `appId` of the `firebaseConfig`.
	FirebaseAppID string `env:"FIREBASE_APP_ID,required,notEmpty" example:"1:123456789012:web:0123456789abcdef"`
	// Key of *Web Push certificates*.
	FirebaseVAPIDPublicKey string `env:"FIREBASE_VAPID_PUBLIC_KEY,required,notEmpty" example:"BAbc"`
	// Key of the service account, the JSON document that Firebase generates: usually read from the file that
	// `FIREBASE_CREDENTIALS_FILE` names. Without it, the service account of the machine, on Google Cloud.
	FirebaseCredentials string `env:"FIREBASE_CREDENTIALS" file:"/etc/sininho/firebase.json" when:"outside Google Cloud" secret:"true"`
	// Messages a minute that the Firebase project may send, for all servers together.
	FCMQuota int `env:"FCM_QUOTA_PER_MINUTE" envDefault:"600000" example:"1200000"`
	// Address of Firebase Cloud Messaging, for stand-ins. Without it, Google's.
	FCMEndpoint string `env:"FCM_ENDPOINT" example:"http://127.0.0.1:9099/v1"`
}

// WebPush is for pushing by the browsers' own push services ([how it works](production.md#web-push)).
type WebPush struct {
	// Private key with which the server signs its pushes (VAPID), of an installation that had another program push.
	// Without it, the server makes one at its first start and keeps it in the database, encrypted with `SECRET_KEY`.
	WebPushPrivateKey string `env:"WEB_PUSH_PRIVATE_KEY" example:"yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw" secret:"true"`
	// Networks besides the public Internet in which push services may be, such as that of one's own UnifiedPush
	// distributor, separated by commas. There, `http` and other ports than 443 are allowed too.
	WebPushNetworks []string `env:"WEB_PUSH_NETWORKS" example:"192.168.0.0/16"`
	// Pushes a minute that one push service is sent, for all servers together.
	WebPushQuota int `env:"WEB_PUSH_QUOTA_PER_MINUTE" envDefault:"600000" example:"60000"`
	// Address of Chrome's push service; another one is for stand-ins.
	WebPushChromeURL string `env:"WEB_PUSH_CHROME_URL" envDefault:"https://fcm.googleapis.com"`
}

// PostHog is for analytics ([what is sent](production.md#4-posthog-analytics)).
type PostHog struct {
	// Project API key, which browsers receive.
	PostHogAPIKey string `env:"POSTHOG_API_KEY,required,notEmpty" example:"phc_abc"`
	// Address of PostHog, which browsers and the server must be able to reach.
	PostHogHost string `env:"POSTHOG_HOST,required,notEmpty" example:"https://eu.i.posthog.com"`
}

// Email is for signing in by email, the waiting list and membership invitations. Without a mail server the waiting list
// is closed, and membership invitations are not emailed.
type Email struct {
	// Address of the mail server. With `smtp://` the connection is encrypted by STARTTLS, with `smtps://` from its
	// beginning. In the user and password, `%` is written as `%25`, and `:` in the user as `%3A`.
	SMTPURL string `env:"SMTP_URL" example:"smtps://user:password@smtp.example.com:465" when:"with SIGN_IN=email or SIGN_UP=invitation" secret:"true"`
	// How the connection is encrypted: `verify` with a certificate that the machine trusts; for a server in your own
	// network also `unverified` with any certificate, or `off` without encryption.
	SMTPTLS string `env:"SMTP_TLS" envDefault:"verify" example:"unverified"`
	// Sender of the emails.
	MailFrom string `env:"MAIL_FROM" example:"Sininho <sininho@example.com>" when:"with SMTP_URL"`
	// Emails a day that [all servers together send](limits.md#emails). Codes to sign in with come before all others,
	// which stop at 80 % of it. Strangers of one network ask for 5 % at most.
	EmailsPerDay int `env:"EMAILS_PER_DAY" envDefault:"10000" example:"2000"`
}

// Accounts are for people who sign up, with their access tokens.
type Accounts struct {
	// Who may sign up: with `open` everyone, with `invitation` only people who were invited from the waiting list.
	SignUp string `env:"SIGN_UP" envDefault:"open" example:"invitation"`
	// Who may [create publishers](moderation.md#who-may-publish), and so begin channels: with `open` everyone with an
	// account, with `invitation` only operators, who invite the owners, and with `request` everyone with an account,
	// once an operator has approved what they ask for.
	Publishers string `env:"PUBLISHERS" envDefault:"open" example:"request"`
	// Whether people may follow channels [without an account](following-without-account.md), in one browser; with
	// `SIGN_UP=invitation` they may not. Turning it off stops nobody who already does.
	AnonymousSubscribers bool `env:"ANONYMOUS_SUBSCRIBERS" envDefault:"true" example:"false"`
	// Days that [access tokens](authentication.md#access-tokens) are valid, unless another time is given.
	AccessTokenDays int `env:"ACCESS_TOKEN_DAYS" envDefault:"90" example:"30"`
	// Days that access tokens are valid at most.
	AccessTokenMaxDays int `env:"ACCESS_TOKEN_MAX_DAYS" envDefault:"366" example:"90"`
}

// Events are those posted to [event endpoints](event-endpoints.md).
type Events struct {
	// Events a second that all servers together post to one host, over all publishers.
	EventQuota int `env:"EVENT_QUOTA_PER_SECOND" envDefault:"300" example:"100"`
	// Whether event endpoints may be on this machine, there also by `http`; only for development.
	EventEndpointsLoopback bool `env:"EVENT_ENDPOINTS_LOOPBACK" envDefault:"false" example:"true"`
}

// Pictures are those of publishers and people, which [the server fetches](production.md#pictures).
type Pictures struct {
	// Whether the server fetches pictures for readers; with `false` they load them from the publishers' servers.
	PictureProxy bool `env:"PICTURE_PROXY" envDefault:"true" example:"false"`
	// Memory for fetched pictures, in MiB, on each server.
	PictureCache int `env:"PICTURE_CACHE_MIB" envDefault:"64" example:"256"`
}

// S3 is for [uploaded pictures](production.md#uploaded-pictures) in an S3-compatible store, such as AWS or Garage.
type S3 struct {
	// Address of the store: `https` or `http`, and a host.
	S3Endpoint string `env:"S3_ENDPOINT" example:"https://s3.eu-west-1.amazonaws.com" when:"with UPLOADS=s3"`
	// Region of the bucket.
	S3Region string `env:"S3_REGION" envDefault:"us-east-1" example:"eu-west-1"`
	// Bucket, which must exist. It needs no public access: the server reads the pictures and serves them.
	S3Bucket string `env:"S3_BUCKET" example:"sininho" when:"with UPLOADS=s3"`
	// Access key, which may read, write and delete objects in the bucket.
	S3AccessKeyID string `env:"S3_ACCESS_KEY_ID" example:"AKIAIOSFODNN7EXAMPLE" when:"with UPLOADS=s3"`
	// Secret of the access key.
	S3SecretAccessKey string `env:"S3_SECRET_ACCESS_KEY" example:"wJalrXUtnFEMIpassword" when:"with UPLOADS=s3" secret:"true"`
}

// Retention is the limit of what the installation [keeps](production.md#retention); 0 is none.
type Retention struct {
	// Days that notifications are kept. Owners of channels may choose fewer.
	RetentionDays int `env:"RETENTION_DAYS" envDefault:"0" example:"730"`
	// Notifications that a channel keeps. Owners of channels may choose fewer.
	RetentionCount int `env:"RETENTION_COUNT" envDefault:"0" example:"10000"`
	// Days for which the outcome of a notification on each device is kept. The counts stay as long as the notification.
	DeliveryRetentionDays int `env:"DELIVERY_RETENTION_DAYS" envDefault:"0" example:"90"`
	// MiB that a publisher stores, as [its texts are counted](limits.md#storage), unless an operator has set another
	// number for it. 512 MiB are about 300,000 notifications of ordinary length: years for most publishers, while one
	// account, which may own 20 publishers, does not fill a disk of 40 GB by itself.
	StorageQuota int `env:"STORAGE_QUOTA_MIB" envDefault:"512" example:"4096"`
}

// RateLimits are those of [requests and streams](limits.md#requests), for each server.
type RateLimits struct {
	// Whether requests are limited; `false` turns off the limits a minute.
	Limits bool `env:"LIMITS" envDefault:"true" example:"false"`
	// Requests that read, a minute, of each caller.
	LimitReads int `env:"LIMIT_READS_PER_MINUTE" envDefault:"600" example:"1200"`
	// Requests that change something, a minute, of each caller.
	LimitWrites int `env:"LIMIT_WRITES_PER_MINUTE" envDefault:"120" example:"240"`
	// Publishes a minute, of each caller; a person and their publishers together have twice as many.
	LimitPublishes int `env:"LIMIT_PUBLISHES_PER_MINUTE" envDefault:"6000" example:"12000"`
	// Requests a minute to the address of a webhook.
	LimitWebhook int `env:"LIMIT_WEBHOOK_PER_MINUTE" envDefault:"120" example:"240"`
	// Requests a minute to the address of an unsigned webhook, from one sender.
	LimitUnsignedWebhook int `env:"LIMIT_UNSIGNED_WEBHOOK_PER_MINUTE" envDefault:"10" example:"20"`
	// Requests a minute to join the waiting list, for a code to sign in with, or to sign up with a passkey, from one
	// address.
	LimitJoins int `env:"LIMIT_JOINS_PER_MINUTE" envDefault:"5" example:"10"`
	// People an hour who begin to follow [without an account](following-without-account.md), from one address.
	LimitAnonymous int `env:"LIMIT_ANONYMOUS_PER_HOUR" envDefault:"300" example:"1000"`
	// Pictures a minute that readers of one address load and that the server has to fetch.
	LimitPictures int `env:"LIMIT_PICTURES_PER_MINUTE" envDefault:"240" example:"480"`
	// Addresses a day that a person can [invite](members.md) to be members, and that can be invited to one publisher.
	LimitInvitations int `env:"LIMIT_INVITATIONS_PER_DAY" envDefault:"50" example:"100"`
	// Invalid credentials from one address, before it has to wait a minute for each; valid ones work all the same.
	LimitFailedCredentials int `env:"LIMIT_FAILED_CREDENTIALS" envDefault:"30" example:"60"`
	// Connections that one network can have open at once, except those of `TRUSTED_PROXIES`.
	LimitNetworkConnections int `env:"LIMIT_CONNECTIONS_PER_NETWORK" envDefault:"1000" example:"2000"`
	// Live streams that a person can have open at once.
	LimitSubscriberStreams int `env:"LIMIT_STREAMS_PER_SUBSCRIBER" envDefault:"30" example:"60"`
	// Live streams that the publishers of one person, or all visitors of one address, can have open at once.
	LimitAddressStreams int `env:"LIMIT_STREAMS_PER_ADDRESS" envDefault:"100" example:"200"`
}

// Caps are how many things somebody may have. Whoever has more already keeps them, but cannot add another.
type Caps struct {
	// Devices of a person.
	CapDevices int `env:"LIMIT_DEVICES_PER_SUBSCRIBER" envDefault:"100" example:"20"`
	// Devices of a person to which no push has been [accepted](devices.md#the-first-push) yet.
	CapUnconfirmed int `env:"LIMIT_UNCONFIRMED_DEVICES_PER_SUBSCRIBER" envDefault:"10" example:"5"`
	// Access tokens of a person.
	CapAccessTokens int `env:"LIMIT_ACCESS_TOKENS_PER_SUBSCRIBER" envDefault:"100" example:"20"`
	// Publishers of one owner.
	CapPublishers int `env:"LIMIT_PUBLISHERS_PER_SUBSCRIBER" envDefault:"20" example:"5"`
	// Channels that a person follows.
	CapSubscriptions int `env:"LIMIT_SUBSCRIPTIONS_PER_SUBSCRIBER" envDefault:"2000" example:"500"`
	// Notifications that a person has postponed.
	CapSnoozed int `env:"LIMIT_SNOOZED_PER_SUBSCRIBER" envDefault:"500" example:"100"`
	// Channels of a publisher.
	CapChannels int `env:"LIMIT_CHANNELS_PER_PUBLISHER" envDefault:"1000" example:"100"`
	// API keys of a publisher, without expired and rotated ones.
	CapAPIKeys int `env:"LIMIT_API_KEYS_PER_PUBLISHER" envDefault:"100" example:"20"`
	// Event endpoints of a publisher.
	CapEventEndpoints int `env:"LIMIT_EVENT_ENDPOINTS_PER_PUBLISHER" envDefault:"20" example:"5"`
	// Webhooks of a channel.
	CapWebhooks int `env:"LIMIT_WEBHOOKS_PER_CHANNEL" envDefault:"50" example:"10"`
	// Invitations to a private channel that were not revoked.
	CapInvitations int `env:"LIMIT_INVITATIONS_PER_CHANNEL" envDefault:"100" example:"20"`
	// Requests to join a private channel that wait for approval.
	CapRequests int `env:"LIMIT_JOIN_REQUESTS_PER_CHANNEL" envDefault:"1000" example:"100"`
	// Drafts of a person in a channel.
	CapDrafts int `env:"LIMIT_DRAFTS_PER_CHANNEL" envDefault:"50" example:"20"`
	// Templates of a channel.
	CapTemplates int `env:"LIMIT_TEMPLATES_PER_CHANNEL" envDefault:"100" example:"20"`
}
