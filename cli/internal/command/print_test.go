package command

import (
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

// TestLinksToOwnPagesLeadToTheFeed checks that links to the server's sign-in pages are replaced. Servers stored them
// before they refused them.
func TestLinksToOwnPagesLeadToTheFeed(t *testing.T) {
	s := newSession(nil, nil, nil, func(name string) string {
		return map[string]string{"SININHO_URL": "https://Sininho.example/api/v1"}[name]
	})
	const feed = "https://sininho.example/feed?notification=n1"
	for link, want := range map[string]string{
		"":                                     "",
		"https://example.com/login/device":     "https://example.com/login/device",
		"https://sininho.example/channels/a/b": "https://sininho.example/channels/a/b",
		"https://sininho.example/login/device?code=BCDF-GHJK": feed,
		"https://SININHO.example.:443/api/v1/auth/google":     feed,
		"https://ana@sininho.example/settings":                feed,
	} {
		if got := s.linkOf(&sininho.Notification{ID: "n1", Link: link}); got != want {
			t.Errorf("shown form of the link %q: got %q, want %q", link, got, want)
		}
	}
}
