package servertest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

const endpointsPath = "/publishers/eletrico/event-endpoints"

type challengeResult struct {
	Confirmed bool
	Status    int
	Error     string
}

// challenged is a challenge as its receiver gets it.
type challenged struct {
	header http.Header
	body   []byte
	text   string
}

func readChallenge(t *testing.T, r *http.Request) challenged {
	t.Helper()
	c := challenged{header: r.Header}
	c.body, _ = io.ReadAll(r.Body)
	var event struct {
		Type string
		Data struct{ Publisher, Challenge string }
	}
	if err := json.Unmarshal(c.body, &event); err != nil || event.Type != "challenge" ||
		event.Data.Publisher != "eletrico" || event.Data.Challenge == "" {
		t.Errorf("request to an unconfirmed endpoint: got %s, want a challenge of the publisher", c.body)
	}
	c.text = event.Data.Challenge
	return c
}

// newEndpoint creates an endpoint of a new publisher, which ana owns.
func newEndpoint(t *testing.T, address string) (ana *servertest.Subscriber, made endpoint, path string) {
	t.Helper()
	ana = servertest.Start(t).SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	ana.Do(http.MethodPost, endpointsPath, object{"url": address, "name": "x"}, 201, &made)
	return ana, made, endpointsPath + "/" + made.ID
}

// TestNobodyConfirmsByAccident challenges servers that do not know the secret, and whose owners have not agreed.
func TestNobodyConfirmsByAccident(t *testing.T) {
	t.Parallel()
	respond := map[string]func(w http.ResponseWriter, c challenged){
		"accepts all":         func(w http.ResponseWriter, _ challenged) { w.WriteHeader(http.StatusNoContent) },
		"repeats the body":    func(w http.ResponseWriter, c challenged) { _, _ = w.Write(c.body) },
		"repeats the text":    func(w http.ResponseWriter, c challenged) { _, _ = io.WriteString(w, c.text) },
		"repeats the headers": func(w http.ResponseWriter, c challenged) { _ = c.header.Write(w) },
		"repeats the signature": func(w http.ResponseWriter, c challenged) {
			_, _ = io.WriteString(w, c.header.Get(webhook.HeaderSignature))
		},
		"signs with another secret": func(w http.ResponseWriter, c challenged) {
			_, _ = io.WriteString(w, signedChallenge(t, c, webhook.NewSecret()))
		},
		"is not there": func(w http.ResponseWriter, c challenged) { http.NotFound(w, nil) },
	}
	var behaviour atomic.Value
	var requests atomic.Int64
	r := servertest.NewReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		requests.Add(1)
		respond[behaviour.Load().(string)](w, readChallenge(t, req))
	})
	ana, _, path := newEndpoint(t, r.URL)
	for what := range respond {
		behaviour.Store(what)
		var got challengeResult
		ana.Do(http.MethodPost, path+"/challenge", nil, 200, &got)
		check.Equal(t, "a server that "+what+" confirms", got.Confirmed, false)
		if got.Status == 0 || !strings.Contains(got.Error, "signature of the challenge") {
			t.Errorf("challenge of a server that %s: got %+v, want its status and that the signature is missing", what, got)
		}
	}
	check.Equal(t, "number of requests", requests.Load(), int64(len(respond)))
	var is endpoint
	ana.Do(http.MethodGet, path, nil, 200, &is)
	if is.ConfirmedAt != nil {
		t.Errorf("endpoint after the challenges: got confirmed at %s, want it unconfirmed", is.ConfirmedAt)
	}
	send(t, ana, http.MethodPost, path+"/test", nil, 422, nil).wantCode("unconfirmed")
	var list page[delivery]
	ana.Do(http.MethodGet, path+"/deliveries", nil, 200, &list) // would show the challenge to those who cannot receive it
	check.Equal(t, "deliveries to an unconfirmed endpoint", list.Meta.Total, 0)
}

func signedChallenge(t *testing.T, c challenged, secret string) string {
	t.Helper()
	m := webhook.Message{ID: c.header.Get(webhook.HeaderID), Timestamp: signedAt(t, c.header), Body: c.body}
	response, err := webhook.SignChallenge(m, c.text, secret)
	if err != nil {
		t.Errorf("sign the challenge: %v", err)
	}
	return response
}

// TestConfirmWithTheChallenge confirms an endpoint with what its receiver has logged.
func TestConfirmWithTheChallenge(t *testing.T) {
	t.Parallel()
	texts := make(chan string, 10)
	r := servertest.NewReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		texts <- readChallenge(t, req).text
	})
	ana, _, path := newEndpoint(t, r.URL)
	var got challengeResult
	confirm := func(what, challenge string, status int) {
		t.Helper()
		var is endpoint
		ana.Do(http.MethodPost, path+"/confirm", object{"challenge": challenge}, status, &is)
		if confirmed := is.ConfirmedAt != nil; confirmed != (status == 200) {
			t.Errorf("endpoint after confirming it with %s: got confirmed %v", what, confirmed)
		}
	}
	confirm("a challenge that was never sent", "x", 422)
	ana.Do(http.MethodPost, path+"/challenge", nil, 200, &got)
	ana.Do(http.MethodPost, path+"/challenge", nil, 200, &got)
	earlier, latest := <-texts, <-texts
	confirm("an earlier challenge", earlier, 422)
	ana.Do(http.MethodPatch, path, object{"url": r.URL + "/other"}, 200, nil)
	confirm("the challenge of another address", latest, 422)
	ana.Do(http.MethodPatch, path, object{"url": r.URL}, 200, nil)
	confirm("the latest challenge", latest, 200)
	confirm("anything, once it is confirmed", "x", 200)
	got = challengeResult{}
	ana.Do(http.MethodPost, path+"/challenge", nil, 200, &got)
	check.Equal(t, "result of a challenge to a confirmed endpoint", got, challengeResult{Confirmed: true})
	check.Equal(t, "challenges to a confirmed endpoint", len(texts), 0)
	ana.Do(http.MethodPatch, path, object{"enabled": false, "url": r.URL + "/other"}, 200, nil)
	send(t, ana, http.MethodPost, path+"/challenge", nil, 422, nil).wantCode("disabled")
}

// TestNewAddressGetsWhatHappensMeanwhile changes the address of an endpoint: the new one gets nothing before it is
// confirmed, and then everything.
func TestNewAddressGetsWhatHappensMeanwhile(t *testing.T) {
	t.Parallel()
	old, r := receive(t), receive(t)
	ana, made, path := newEndpoint(t, old.URL)
	old.confirm(ana, endpointsPath, made)
	ana.Do(http.MethodPost, path+"/test", nil, 202, nil)
	old.wait(1, made.Secret)
	var categories page[object]
	ana.Do(http.MethodGet, "/categories", nil, 200, &categories)
	ana.Do(http.MethodPost, "/channels", object{"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas",
		"categoryId": categories.Data[0]["id"]}, 201, nil)
	ana.Do(http.MethodPatch, path, object{"url": r.URL}, 200, nil)
	ana.Do(http.MethodPost, "/channels/eletrico/linhas/notifications", object{"title": "Olá"}, 201, nil)
	eventually.True(t, "the events to be stored", func() bool {
		var list page[delivery]
		ana.Do(http.MethodGet, path+"/deliveries?status=pending", nil, 200, &list)
		return list.Meta.Total == 2
	})
	r.mu.Lock()
	check.Equal(t, "events at the new address before it is confirmed", len(r.got), 0)
	r.mu.Unlock()
	r.confirm(ana, endpointsPath, made)
	r.wait(2, made.Secret)
	old.mu.Lock()
	check.Equal(t, "events at the old address", len(old.got), 1)
	old.mu.Unlock()
	ana.Do(http.MethodPatch, path, object{"url": old.URL}, 200, nil)
	send(t, ana, http.MethodPost, path+"/test", nil, 422, nil).wantCode("unconfirmed")
	ana.Do(http.MethodPatch, path, object{"url": r.URL}, 200, nil)
	ana.Do(http.MethodPost, path+"/test", nil, 202, nil)
}

// TestChallengesArePaced challenges a host from two publishers until too many have failed.
func TestChallengesArePaced(t *testing.T) {
	t.Parallel()
	const atOnce = 10
	var requests atomic.Int64
	r := servertest.NewReceiver(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
	ana, made, path := newEndpoint(t, r.URL)
	var other endpoint
	ana.Do(http.MethodPost, "/publishers", object{"slug": "comboio", "name": "Comboio"}, 201, nil)
	ana.Do(http.MethodPost, "/publishers/comboio/event-endpoints", object{"url": r.URL + "/x", "name": "x"}, 201, &other)
	second := "/publishers/comboio/event-endpoints/" + other.ID
	for range atOnce / 2 {
		ana.Do(http.MethodPost, path+"/challenge", nil, 200, nil)
		ana.Do(http.MethodPost, second+"/challenge", nil, 200, nil)
	}
	send(t, ana, http.MethodPost, path+"/challenge", nil, 429, nil).wantCode("rate_limited")
	send(t, ana, http.MethodPost, second+"/challenge", nil, 429, nil).wantHeader("Retry-After", "60")
	check.Equal(t, "number of requests", requests.Load(), int64(atOnce))

	elsewhere := servertest.NewReceiver(t, nil)
	elsewhere.Know(made.Secret)
	for range 2 * atOnce { // those that succeed do not count
		ana.Do(http.MethodPatch, path, object{"url": elsewhere.URL}, 200, nil)
		ana.Confirm(path)
		ana.Do(http.MethodPatch, path, object{"url": elsewhere.URL + "/other"}, 200, nil)
		ana.Confirm(path)
	}
}

// TestNewPublishersGetNoMoreChallenges challenges addresses by publishers that are deleted and created again.
func TestNewPublishersGetNoMoreChallenges(t *testing.T) {
	t.Parallel()
	const atOnce = 20
	ana := servertest.Start(t).SignIn(t, "ana@example.com")
	for i := range atOnce + 1 {
		ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
		var made endpoint
		address := "http://127.0.1." + strconv.Itoa(i+1) + ":1"
		ana.Do(http.MethodPost, endpointsPath, object{"url": address, "name": "x"}, 201, &made)
		path := endpointsPath + "/" + made.ID + "/challenge"
		if i == atOnce {
			send(t, ana, http.MethodPost, path, nil, 429, nil).wantHeader("Retry-After", "300")
			return
		}
		ana.Do(http.MethodPost, path, nil, 200, nil)
		ana.Do(http.MethodDelete, "/publishers/eletrico", nil, 204, nil)
	}
}

// TestChallengesToOneAddressArePaced challenges one address by several of its names, and for two people.
func TestChallengesToOneAddressArePaced(t *testing.T) {
	t.Parallel()
	const ofPerson, toAddress = 20, 30
	var requests atomic.Int64
	s := servertest.Start(t)
	victim := servertest.NewReceiver(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
	_, port, _ := strings.Cut(strings.TrimPrefix(victim.URL, "http://"), ":")
	names := []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"}
	var paths []string
	var people []*servertest.Subscriber
	for _, slug := range []string{"ana", "rui"} {
		person := s.SignIn(t, slug+"@example.com")
		var made endpoint
		person.Do(http.MethodPost, "/publishers", object{"slug": slug, "name": slug}, 201, nil)
		path := "/publishers/" + slug + "/event-endpoints"
		person.Do(http.MethodPost, path, object{"url": victim.URL, "name": "x"}, 201, &made)
		people, paths = append(people, person), append(paths, path+"/"+made.ID)
	}
	for i := range toAddress {
		person, path := people[i/ofPerson], paths[i/ofPerson]
		address := "http://" + names[i%len(names)] + ":" + port + "/" + strconv.Itoa(i)
		person.Do(http.MethodPatch, path, object{"url": address}, 200, nil)
		person.Do(http.MethodPost, path+"/challenge", nil, 200, nil)
	}
	other := servertest.NewReceiver(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
	people[1].Do(http.MethodPatch, paths[1], object{"url": other.URL}, 200, nil)
	for range ofPerson { // a challenge that is refused before it is sent does not count against the person
		refused := send(t, people[1], http.MethodPost, paths[1]+"/challenge", nil, 429, nil)
		refused.wantHeader("Retry-After", "20")
	}
	check.Equal(t, "requests to the address", requests.Load(), int64(toAddress))
}

func signedAt(t *testing.T, header http.Header) time.Time {
	t.Helper()
	seconds, err := strconv.ParseInt(header.Get(webhook.HeaderTimestamp), 10, 64)
	if err != nil {
		t.Errorf("time of the signature: %v", err)
	}
	return time.Unix(seconds, 0)
}
