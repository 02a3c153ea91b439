package emails

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/mailtest"
)

// TestChannelInvitation expects the email to have the link, to name the channel by its address, and to hold nothing
// else that a stranger chose.
func TestChannelInvitation(t *testing.T) {
	t.Parallel()
	inv := &core.ReceivedChannelInvitation{ChannelInvitation: core.ChannelInvitation{ID: core.ID{1},
		Email: "bia@example.com", ExpiresAt: new(now.Add(core.ChannelInvitationLife))}}
	inv.Channel.PublisherSlug, inv.Channel.Slug, inv.Channel.Name = "escola", "7b", "Win at evil.example"
	for approval, name := range map[bool]string{false: "channel", true: "approval"} {
		inv.Approval = approval
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			sender, out := newSender(t, facts{toChannel: inv}, nil)
			e := Email{ID: core.ID{5}, Kind: ToChannel, About: core.ID{1}, Language: in}
			if err := sender.send(t.Context(), e); err != nil || len(out.sent) != 1 {
				t.Fatalf("send the email: got %d and error %v, want 1", len(out.sent), err)
			}
			m := out.sent[0]
			link := "https://sininho.example/join#" + sender.Invitations.Secret(core.ID{1})
			if m.To != "bia@example.com" || !strings.Contains(m.Text, link) || strings.Contains(m.Text+m.HTML, "evil") {
				t.Errorf("email in %s: got %+v, want it with %s and no words of the publisher", in, m, link)
			}
			mailtest.Golden(t, name+"."+string(in), m)
		}
	}
	sender, out := newSender(t, facts{}, nil)
	err := sender.send(t.Context(), Email{ID: core.ID{5}, Kind: ToChannel, About: core.ID{1}, Language: core.English})
	if err != nil || len(out.sent) != 0 {
		t.Errorf("email for an invitation that has ended: got %d and error %v, want none", len(out.sent), err)
	}
}
