package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestSummaryInEachLanguage(t *testing.T) {
	held := make([]core.Notification, 7)
	for i := range held {
		held[i] = core.Notification{ID: core.ID{byte(i)}, Title: fmt.Sprint("T", i),
			Channel: core.ChannelRef{Name: "Metro", Slug: "avisos", PublisherSlug: "metro"}, PublishedAt: &now}
	}
	const lines = "Metro: T0\nMetro: T1\nMetro: T2\nMetro: T3\nMetro: T4\n"
	for in, want := range map[core.Language][2]string{
		core.Portuguese:          {"7 novas notificações", lines + "e mais 2"},
		core.BrazilianPortuguese: {"7 novas notificações", lines + "e mais 2"},
		core.English:             {"7 new notifications", lines + "and 2 more"},
	} {
		p := core.NewSummary(held, now, in)
		check.Equal(t, "summary in "+string(in), [2]string{p.Title, p.Body}, want)
		check.Equal(t, "expiry of the summary in "+string(in), p.Expires, now.Add(24*time.Hour))
	}
}

// TestPushNamesItsChannel expects the name before the body, alone where there is none, and again after a correction.
func TestPushNamesItsChannel(t *testing.T) {
	n := core.Notification{Title: "Linha azul", Body: "Circulação retomada.", PublishedAt: &now, Visible: true,
		Channel: core.ChannelRef{ID: core.ID{7}, Name: "Metro", Slug: "avisos", PublisherSlug: "metro"}}
	check.Equal(t, "body of a push", core.NewPush(n).Body, "Metro · Circulação retomada.")
	check.Equal(t, "channel id of a push", core.NewPush(n).ChannelID, core.ID{7}.String())
	check.Equal(t, "body of a correction", core.NewRevision(n).Body, "Metro · Circulação retomada.")
	check.Equal(t, "body of a summary of one", core.NewSummary([]core.Notification{n}, now, core.English).Body,
		"Metro · Circulação retomada.")
	n.Body = ""
	check.Equal(t, "body of a push without a text", core.NewPush(n).Body, "Metro")
}
