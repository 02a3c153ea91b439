package sdktest_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// TestSDK calls package sininho against a real server that the tests share. Each test has its own publisher.
func TestSDK(t *testing.T) {
	server := servertest.Start(t)
	for name, test := range map[string]func(*testing.T, *fixture){
		"publish with every field":         testPublishSendsEveryField,
		"publish an external id again":     testPublishOfAnExternalIDThatExists,
		"publish under a key again":        testPublishUnderAKeyIsReplayed,
		"publish with faults":              testPublishReportsEveryFault,
		"publish what Validate refuses":    testWhatPublishingRefuses,
		"change by version":                testVersionsGuardFromTheStart,
		"correct and withdraw":             testCorrectAndWithdraw,
		"scheduled":                        testScheduled,
		"list":                             testListGoesThroughAllPages,
		"lists that fail":                  testListsEndWithTheirError,
		"stream":                           testStream,
		"channels and categories":          testChannelsAndCategories,
		"channels that Validate refuses":   testWhatChannelsRefuse,
		"change a channel":                 testChangesOfAChannel,
		"deliveries of a channel":          testChannelDeliveries,
		"followers of a channel":           testChannelFollowers,
		"discovery":                        testDiscovery,
		"categories of an operator":        testOperatorsCategories,
		"auth":                             testAuth,
		"calls by hand and pages":          testCall,
		"publishers":                       testPublishers,
		"members":                          testMembers,
		"membership invitations":           testMembershipInvitations,
		"private channels":                 testPrivateChannels,
		"API keys":                         testAPIKeys,
		"me":                               testMe,
		"export":                           testExport,
		"feed":                             testFeedAndSubscriptions,
		"stream of the feed":               testFeedStream,
		"devices and access tokens":        testDevicesAndTokens,
		"scopes of access tokens":          testTokenScopes,
		"sessions":                         testSessions,
		"device sign-in":                   testDeviceSignIn,
		"drafts":                           testDrafts,
		"templates":                        testTemplates,
		"webhooks":                         testWebhooks,
		"update a webhook":                 testWebhookUpdate,
		"webhook events":                   testWebhookEvents,
		"webhook preview":                  testWebhookPreview,
		"event endpoints":                  testEventEndpoints,
		"confirm an event endpoint":        testEventEndpointConfirmation,
		"event deliveries":                 testEventDeliveries,
		"waiting list":                     testWaitlist,
		"waiting list at its own address":  testWaitlistAtAnAddressOfItsOwn,
		"every operation of the contracts": testEveryOperationIsReached,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newFixture(t, server))
		})
	}
}

// fixture is a publisher with a channel, and clients for its API key and its owner.
type fixture struct {
	*servertest.Server
	t             *testing.T
	slug, channel string
	email         string // the owner's
	key, owner    *sininho.Client
	browser       *servertest.Subscriber // the owner's
	mu            sync.Mutex
	requests      []string // made by key and owner, as METHOD PATH BODY
}

var fixtures atomic.Int64

func newFixture(t *testing.T, server *servertest.Server) *fixture {
	t.Helper()
	f := &fixture{Server: server, t: t, slug: fmt.Sprintf("editor-%d", fixtures.Add(1))}
	f.channel, f.email = f.slug+"/novidades", f.slug+"@example.com"
	f.browser = server.SignIn(t, f.email)
	f.owner = f.asPerson(f.browser)
	if _, err := f.owner.Publishers.Create(t.Context(), f.slug, sininho.PublisherInput{Name: f.slug}); err != nil {
		t.Fatalf("create the publisher: %v", err)
	}
	scopes := []sininho.Scope{sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead}
	key, err := f.owner.APIKeys.Create(t.Context(), f.slug, sininho.APIKeyInput{Name: "teste", Scopes: scopes})
	if err != nil {
		t.Fatalf("create the API key: %v", err)
	}
	f.key = f.client(sininho.WithAPIKey(key.Secret))
	channel := sininho.ChannelInput{Name: "Novidades", CategoryID: f.category("transportes").ID}
	if _, err := f.key.Channels.Create(t.Context(), f.channel, channel); err != nil {
		t.Fatalf("create the channel: %v", err)
	}
	f.requests = nil
	return f
}

// client returns a client whose requests are recorded.
func (f *fixture) client(opts ...sininho.Option) *sininho.Client {
	f.t.Helper()
	client := f.Client(append([]sininho.Option{sininho.WithMiddleware(f.record)}, opts...)...)
	f.t.Cleanup(client.CloseIdleConnections)
	return client
}

// visitor returns a client without a credential, whose requests are recorded.
func (f *fixture) visitor() *sininho.Client {
	f.t.Helper()
	client, err := sininho.New(sininho.WithBaseURL(f.URL), sininho.WithMiddleware(f.record))
	if err != nil {
		f.t.Fatalf("make a client: %v", err)
	}
	f.t.Cleanup(client.CloseIdleConnections)
	return client
}

func (f *fixture) record(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		var body []byte
		if r.Body != nil {
			body, _ = io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		f.mu.Lock()
		f.requests = append(f.requests, r.Method+" "+r.URL.Path+" "+string(body))
		f.mu.Unlock()
		return next.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// recorded returns the requests made so far.
func (f *fixture) recorded() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.requests...)
}

// person signs a person in and returns a client with their access token.
func (f *fixture) person(email string) *sininho.Client {
	f.t.Helper()
	return f.asPerson(f.SignIn(f.t, email))
}

func (f *fixture) asPerson(browser *servertest.Subscriber) *sininho.Client {
	f.t.Helper()
	var token struct{ Secret string }
	name := map[string]string{"name": "teste"}
	browser.Do(http.MethodPost, "/subscribers/access-tokens", name, http.StatusCreated, &token)
	return f.client(sininho.WithAccessToken(token.Secret))
}

func (f *fixture) category(slug string) sininho.Category {
	f.t.Helper()
	for _, c := range collect(f.t, f.owner.Categories.List(f.t.Context())) {
		if c.Slug == slug {
			return c
		}
	}
	f.t.Fatalf("no category %s", slug)
	return sininho.Category{}
}

// published returns the channel's notifications, newest first.
func (f *fixture) published() []sininho.Notification {
	f.t.Helper()
	return collect(f.t, f.key.Notifications.List(f.t.Context(), f.channel, sininho.ListOptions{}))
}

// collect reads a list to its end.
func collect[T any](t *testing.T, seq func(func(T, error) bool)) (all []T) {
	t.Helper()
	for item, err := range seq {
		if err != nil {
			t.Fatalf("read a list after %d items: %v", len(all), err)
		}
		all = append(all, item)
	}
	return all
}

// lastError reads a list to its end and returns its error.
func lastError[T any](seq func(func(T, error) bool)) (last error) {
	for _, err := range seq {
		last = err
	}
	return last
}
