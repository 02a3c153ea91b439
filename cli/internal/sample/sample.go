// Package sample has an example payload for each sender of webhooks, in the form that its
// documentation shows, and signs it as that sender does. The data is made up.
package sample

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// payloads are named by sender and kind. @ID@, @NOW@ and @UNIX@ stand for an id, the time and the
// time in seconds, so that no event is taken for a repetition.
//
//go:embed payloads/*.json
var payloads embed.FS

// firstKinds has the default kinds of events; other senders default to the first by name.
var firstKinds = map[sininho.WebhookSender]string{
	sininho.SenderGitHub: "issues", sininho.SenderGitLab: "issue", sininho.SenderStripe: "payment_intent.succeeded",
	sininho.SenderSentry: "issue", sininho.SenderSlack: "message", sininho.SenderDiscord: "message",
}

// Kinds returns the kinds of events of a sender, the default one first.
func Kinds(sender sininho.WebhookSender) []string {
	entries, err := payloads.ReadDir("payloads")
	if err != nil {
		panic(err) // the directory is embedded in the program
	}
	var kinds []string
	for _, entry := range entries {
		if kind, ok := strings.CutPrefix(strings.TrimSuffix(entry.Name(), ".json"), string(sender)+"-"); ok {
			kinds = append(kinds, kind)
		}
	}
	first := firstKinds[sender]
	slices.SortStableFunc(kinds, func(a, b string) int {
		switch {
		case a == first && b != first:
			return -1
		case b == first && a != first:
			return 1
		}
		return 0
	})
	return kinds
}

// Event is a payload with its headers, before it is signed.
type Event struct {
	Header http.Header
	Body   []byte
}

// New returns an event of one of the [Kinds]. id must be unique and have no full stop.
func New(sender sininho.WebhookSender, kind, id string, now time.Time) (Event, error) {
	text, err := payloads.ReadFile("payloads/" + string(sender) + "-" + kind + ".json")
	if err != nil {
		return Event{}, fmt.Errorf("there is no sample %q of %s", kind, sender)
	}
	filled := strings.NewReplacer("@ID@", id, "@NOW@", now.UTC().Format(time.RFC3339), "@UNIX@",
		strconv.FormatInt(now.Unix(), 10)).Replace(string(text))
	var file struct {
		Headers map[string]string
		Payload json.RawMessage
	}
	if err := json.Unmarshal([]byte(filled), &file); err != nil {
		return Event{}, err
	}
	event := Event{Header: http.Header{"Content-Type": {"application/json"}}, Body: file.Payload}
	for name, value := range file.Headers {
		event.Header.Set(name, value)
	}
	return event, nil
}
