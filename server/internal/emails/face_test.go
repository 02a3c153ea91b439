package emails

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// TestFaces expects invitations to show the name and the small picture of what they are about, and its address in place
// of a name that could be more than a name.
func TestFaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, picture, shown, html string }{
		{"Turma 7.º B", "https://escola.example/7b.png", "Turma 7.º B", `<img src="https://sininho.example/small/7b"`},
		{"Turma 7.º B", "", "Turma 7.º B", ">T</td>"},
		{"Win at evil.example", "", "escola/7b", ">E</td>"},
	} {
		inv := &core.ReceivedChannelInvitation{ChannelInvitation: core.ChannelInvitation{ID: core.ID{1},
			Email: "bia@example.com", ExpiresAt: new(now)}}
		inv.Channel.PublisherSlug, inv.Channel.Slug = "escola", "7b"
		inv.Channel.Name, inv.Channel.Icon = test.name, test.picture
		sender, out := newSender(t, facts{toChannel: inv}, nil)
		sender.Picture = func(picture string) string {
			return strings.ReplaceAll(strings.TrimSuffix(picture, ".png"), "escola.example", "sininho.example/small")
		}
		err := sender.send(t.Context(), Email{Kind: ToChannel, About: core.ID{1}, Language: core.Portuguese})
		if err != nil || len(out.sent) != 1 {
			t.Fatalf("send the email: got %d and error %v, want 1", len(out.sent), err)
		}
		m := out.sent[0]
		if !strings.HasPrefix(m.Text, test.shown+"\n") || !strings.Contains(m.HTML, ">"+test.shown+"</td>") ||
			!strings.Contains(m.HTML, test.html) {
			t.Errorf("email about %q: got %+v, want %q and %s", test.name, m, test.shown, test.html)
		}
	}
}
