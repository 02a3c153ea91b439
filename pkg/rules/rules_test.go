package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// said returns the pointers and codes of faults, sorted.
func said(f rules.Faults) string {
	var all []string
	for _, fault := range f {
		if fault.Detail.EN == "" || fault.Detail.PT == "" {
			panic("a fault without a text: " + fault.Pointer)
		}
		all = append(all, strings.TrimPrefix(fault.Pointer, "#/")+" "+fault.Code)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func when(t time.Time) *time.Time { return &t }

func data(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprint("k", i)] = strings.Repeat("ã", rules.MaxDataValue)
	}
	return all
}

// TestNotifications has each limit from both sides.
func TestNotifications(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) *time.Time { return when(now.Add(d)) }
	const year = 366 * 24 * time.Hour
	of := func(change func(n *rules.Notification)) rules.Notification {
		n := rules.Notification{Title: "t"}
		change(&n)
		return n
	}
	for name, c := range map[string]struct {
		n    rules.Notification
		want string
	}{
		"all fields": {rules.Notification{Title: strings.Repeat("ã", 200), Body: strings.Repeat("ã", 19_998) + "\n\t",
			Image: "https://example.com/i", Icon: "https://example.com/c", Link: "mailto:a@example.com",
			Importance: "important", Data: data(20), ExternalID: strings.Repeat("ã", 255), ScheduledAt: at(year),
			ExpiresAt: at(year + 1)}, ""},
		"all too long": {rules.Notification{Title: strings.Repeat("a", 201), Body: strings.Repeat("a", 20_001),
			ExternalID: strings.Repeat("a", 256), Data: map[string]string{"k": strings.Repeat("a", 501)}},
			"body too_long, data/k too_long, externalId too_long, title too_long"},
		"no title":               {rules.Notification{}, "title blank"},
		"two lines of title":     {rules.Notification{Title: "a\nb"}, "title text"},
		"NULs":                   {rules.Notification{Title: "a\x00\n", Body: "\x00\u202e", ExternalID: "\x00"}, "body text, externalId text, title text"},
		"no UTF-8":               {rules.Notification{Title: "\xff", Data: map[string]string{"k": "\xff"}}, "data/k text, title text"},
		"a direction":            {of(func(n *rules.Notification) { n.Body = "a\u202eb" }), "body text"},
		"a return in the body":   {of(func(n *rules.Notification) { n.Body = "a\r\nb" }), ""},
		"another importance":     {of(func(n *rules.Notification) { n.Importance = "urgent" }), "importance enum"},
		"pictures":               {of(func(n *rules.Notification) { n.Image, n.Icon, n.Link = "x", "x", "x" }), "icon link, image link, link link"},
		"too many data":          {of(func(n *rules.Notification) { n.Data = data(21) }), "data too_many"},
		"keys":                   {of(func(n *rules.Notification) { n.Data = map[string]string{"A-z_0.9": "", strings.Repeat("k", 64): ""} }), ""},
		"a long key":             {of(func(n *rules.Notification) { n.Data = map[string]string{strings.Repeat("k", 65): ""} }), "data key"},
		"an odd key":             {of(func(n *rules.Notification) { n.Data = map[string]string{"a b": "\x00"} }), "data key"},
		"no key":                 {of(func(n *rules.Notification) { n.Data = map[string]string{"": ""} }), "data key"},
		"scheduled before":       {of(func(n *rules.Notification) { n.ScheduledAt = at(-time.Hour) }), ""},
		"scheduled too far":      {of(func(n *rules.Notification) { n.ScheduledAt = at(year + 1) }), "scheduledAt too_far"},
		"expires now":            {of(func(n *rules.Notification) { n.ExpiresAt = at(0) }), "expiresAt past"},
		"expires soon":           {of(func(n *rules.Notification) { n.ExpiresAt = at(1) }), ""},
		"expires when published": {of(func(n *rules.Notification) { n.ScheduledAt, n.ExpiresAt = at(2), at(2) }), "expiresAt past"},
		"expires after that":     {of(func(n *rules.Notification) { n.ScheduledAt, n.ExpiresAt = at(2), at(3) }), ""},
		"scheduled before, expires": {
			of(func(n *rules.Notification) { n.ScheduledAt, n.ExpiresAt = at(-2), at(1) }), ""},
		"expires in 9999": {of(func(n *rules.Notification) { n.ExpiresAt = when(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)) }), ""},
		"expires later":   {of(func(n *rules.Notification) { n.ExpiresAt = when(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)) }), "expiresAt too_far"},
	} {
		check(t, "faults of "+name, said(c.n.Faults(rules.Links{}, now)), c.want)
	}
	for end, want := range map[*time.Time]string{nil: "", at(0): "x past", at(1): "",
		when(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)): "", when(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)): "x too_far"} {
		var f rules.Faults
		f.Expiry("#/x", end, now)
		check(t, fmt.Sprint("faults of an expiry at ", end), said(f), want)
	}
}

// TestMessages checks the words with which callers find their fault.
func TestMessages(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		n      rules.Notification
		en, pt string
	}{
		"too long": {rules.Notification{Title: strings.Repeat("a", 201)}, "has 201 characters; at most 200 are allowed",
			"tem 201 caracteres; o máximo é 200"},
		"too many": {rules.Notification{Title: "t", Data: data(21)}, "has more than 20 elements", "tem mais de 20 elementos"},
		"enum": {rules.Notification{Title: "t", Importance: "x"}, "is none of: normal, important",
			"não é nenhum de: normal, important"},
	} {
		f := c.n.Faults(rules.Links{}, now)
		check(t, "English of "+name, f[0].Detail.In(false), c.en)
		check(t, "Portuguese of "+name, f[0].Detail.In(true), c.pt)
	}
	long := strings.Repeat("k", 70)
	f := rules.Notification{Title: "t", Data: map[string]string{long: ""}}.Faults(rules.Links{}, now)
	if want := `"` + long[:64] + `"`; !strings.Contains(f[0].Detail.EN, "the key "+want+";") {
		t.Errorf("fault of a long key: got %q, want its first 64 characters", f[0].Detail.EN)
	}
	check(t, "a text without Portuguese", rules.Text{EN: "a"}.In(true), "a")
	check(t, "whether a fault is found", fmt.Sprint(f.Has("#/data"), f.Has("#/title")), "true false")
}

func TestDestinations(t *testing.T) {
	t.Parallel()
	own := rules.Links{Origin: "https://sininho.example"}
	for _, c := range []struct {
		link  string
		links rules.Links
		want  string
	}{
		{"", own, ""},
		{"https://example.com/a?b#c", own, ""},
		{"http://example.com/", own, ""},
		{"mailto:a@example.com", own, ""},
		{"tel:+351210000000", own, ""},
		{"mailto:", own, "x link"},
		{"mailto://a", own, "x link"},
		{"https://", own, "x link"},
		{"https://ana@example.com/", own, "x link"},
		{"/feed", own, "x link"},
		{"ssh://example.com", own, "x link"},
		{"ssh://example.com", rules.Links{Schemes: []string{"ssh"}}, ""},
		{"ssh:", rules.Links{Schemes: []string{"ssh"}}, "x link"},
		{"ssh:a", rules.Links{Schemes: []string{"ssh"}}, ""},
		{"ssh:/a", rules.Links{Schemes: []string{"ssh"}}, ""},
		{"geo:1,2", rules.Links{AnyScheme: true}, ""},
		{"javascript:alert(1)", rules.Links{AnyScheme: true, Schemes: []string{"javascript"}}, "x link"},
		{"https://example.com/a b", own, "x link"},
		{"https://example.com/\"", own, "x link"},
		{"https://example.com/\u202e", own, "x link"},
		{"https://example.com/\xff", own, "x link"},
		{"https://example.com/" + strings.Repeat("a", 2028), own, ""},
		{"https://example.com/" + strings.Repeat("a", 2029), own, "x link"},
		{"http://localhost/", own, "x loopback"},
		{"http://localhost/", rules.Links{AllowLoopback: true}, ""},
		{"http://a.localhost/", own, "x loopback"},
		{"http://127.0.0.1/", own, "x loopback"},
		{"http://0.0.0.0/", own, "x loopback"},
		{"http://[::]/", own, "x loopback"},
		{"http://[::1]/", own, "x loopback"},
		{"http://10.0.0.1/", own, ""},
		{"https://sininho.example/feed", own, ""},
		{"https://sininho.example/channels/a/b/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", own, ""},
		{"https://sininho.example/settings", own, "x own_origin"},
		{"https://sininho.example/settings", rules.Links{}, ""},
		{"https://sininho.example:8443/feed", rules.Links{Origin: "https://sininho.example:8443"}, ""},
	} {
		var f rules.Faults
		f.Destination("#/x", c.link, c.links)
		check(t, fmt.Sprintf("faults of a link to %.60q with %+v", c.link, c.links), said(f), c.want)
	}
	for link, want := range map[string]bool{"https://example.com/": true, "http://example.com/": true, "/feed": true,
		"mailto:a@example.com": false, "ssh://a": false, ":": false} {
		check(t, "IsPage of "+link, fmt.Sprint(rules.IsPage(link)), fmt.Sprint(want))
	}
	for link, want := range map[string]bool{"mailto:a@example.com": true, "tel:1": true, "mailto:a b": false, ":": false,
		"feed": true, "https://example.com/\n": false} {
		check(t, fmt.Sprintf("MayOpen of %q", link), fmt.Sprint(rules.MayOpen(link, own.Origin)), fmt.Sprint(want))
	}
	check(t, "MayOpen at no origin", fmt.Sprint(rules.MayOpen("https://example.com/", ":")), "false")
	for address, want := range map[string]bool{"https://sininho.example/x": true, "https://SININHO.example.:443": true,
		"https://sininho.example:8443": false, "https://example.com": false, ":": false, "": false} {
		check(t, "IsAt of "+address, fmt.Sprint(rules.IsAt(address, own.Origin)), fmt.Sprint(want))
	}
	check(t, "IsAt of no origin", fmt.Sprint(rules.IsAt("", ""), rules.IsAt("https://a", ":")), "false false")
	for link, want := range map[string]bool{"https://localhost/x": true, "https://example.1a/x": true,
		"https://1.2.3.08/x": false} {
		check(t, "MayOpen of "+link, fmt.Sprint(rules.MayOpen(link, own.Origin)), fmt.Sprint(want))
	}
	check(t, "IsAt with the port of http", fmt.Sprint(rules.IsAt("http://a.example:80", "http://a.example")), "true")
	for host, want := range map[string]bool{"localhost": true, "127.8.9.1": true, "127.0.0.9": true, "127.0.0.10": true, "::1": true, "": false, "a": false,
		"10.0.0.1": false, "a.localhost": false, "1.a": false} {
		check(t, "IsLoopback of "+host, fmt.Sprint(rules.IsLoopback(host)), fmt.Sprint(want))
	}
}

// TestSchemes refuses every scheme that runs a program or reads files.
func TestSchemes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"ssh": true, "web+x.y-2": true, "javascript": false, "vbscript": false,
		"livescript": false, "data": false, "blob": false, "file": false, "filesystem": false, "about": false,
		"view-source": false, "jar": false, "chrome": false, "": false, "2a": false, "a b": false, "SSH": false} {
		check(t, "CheckScheme of "+name, fmt.Sprint(rules.CheckScheme(name)), fmt.Sprint(want))
	}
}

func TestChannelsAndSlugs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   rules.Channel
		want string
	}{
		"valid": {rules.Channel{Name: strings.Repeat("ã", 100), Description: strings.Repeat("ã", 1000),
			Icon: "https://example.com/i", Visibility: "unlisted"}, ""},
		"public": {rules.Channel{Name: "n", Visibility: "public"}, ""},
		"all faults": {rules.Channel{Name: strings.Repeat("a", 101), Description: strings.Repeat("a", 1001), Icon: "x",
			Visibility: "x"}, "description too_long, icon link, name too_long, visibility enum"},
		"NULs": {rules.Channel{Description: "\x00"}, "description text, name blank"},
	} {
		check(t, "faults of a channel: "+name, said(c.of.Faults(rules.Links{})), c.want)
	}
	for slug, want := range map[string]string{"a": "", "linha-azul-2": "", strings.Repeat("a", 63): "", "": "x pattern",
		strings.Repeat("a", 64): "x pattern", "-a": "x pattern", "a--b": "x pattern", "A": "x pattern", "a_b": "x pattern"} {
		var f rules.Faults
		f.Slug("#/x", slug)
		check(t, "faults of the slug "+slug, said(f), want)
	}
	var f rules.Faults
	f.Link("#/a", "", rules.Links{})
	f.Link("#/b", "x", rules.Links{})
	f.Picture("#/c", "ftp://example.com/", rules.Links{HTTPPictures: true})
	check(t, "faults of links", said(f), "b link, c link")
	if !strings.Contains(f[1].Detail.EN, "https or http") {
		t.Errorf("fault where pictures may be at http: got %q, want it to say so", f[1].Detail.EN)
	}
}

// TestBatches names the notification of each fault, and the first of two with one external id.
func TestBatches(t *testing.T) {
	t.Parallel()
	f := rules.Batch([]string{"a", "", "", "a", "a"}, func(i int) (f rules.Faults) {
		if i == 1 {
			f.Add("#/title", "blank", rules.Text{EN: "is blank", PT: "está em branco"})
		}
		return f
	})
	check(t, "faults of a batch", said(f), "notifications/1/title blank, notifications/3/externalId duplicate, "+
		"notifications/4/externalId duplicate")
	check(t, "detail", f[2].Detail.EN, "is the same as that of notification 0 of the batch")
	check(t, "detail in Portuguese", f[2].Detail.PT, "é igual ao da notificação 0 do lote")
}

func TestMarkLoneSurrogates(t *testing.T) {
	t.Parallel()
	for json, want := range map[string]string{
		`"\ud83d"`:                    `"\u0000"`,
		`"\ud83d\ud83d\ude87\udc00x"`: `"\u0000\ud83d\ude87\u0000x"`,
		`"\udc00\udc00"`:              `"\u0000\u0000"`,
		`"\\ud83d \ud83d\ude87"`:      `"\\ud83d \ud83d\ude87"`,
		`\ud83`:                       `\ud83`,
		`\ud83d`:                      `\u0000`,
		`\uzzzz\ud83d`:                `\uzzzz\u0000`,
	} {
		got := []byte(json)
		rules.MarkLoneSurrogates(got)
		check(t, "marked "+json, string(got), want)
	}
	for r, want := range map[rune]bool{'\n': false, '\r': false, '\t': false, 'a': false, '\v': true, 0x202e: true} {
		check(t, fmt.Sprintf("IsProseControl of %q", r), fmt.Sprint(rules.IsProseControl(r)), fmt.Sprint(want))
	}
}
