package feeds

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func readAtom(t *testing.T, text string) (feed atomFeed) {
	t.Helper()
	if err := xml.Unmarshal([]byte(text), &feed); err != nil {
		t.Fatalf("read %s: %v", text, err)
	}
	return feed
}

func readJSON(t *testing.T, text string) (feed jsonDocument) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &feed); err != nil {
		t.Fatalf("read %s: %v", text, err)
	}
	return feed
}

const (
	channelID = "urn:uuid:01000000-0000-0000-0000-000000000000"
	entryID   = "urn:uuid:09000000-0000-0000-0000-000000000000"
	entryPage = origin + "/channels/metro/linhas/09000000-0000-0000-0000-000000000000"
	picture   = origin + "/pictures/signed/https://metro.example/azul.jpg"
)

func TestAtom(t *testing.T) {
	feed := readAtom(t, get(t, newHandler(newSource()), "/channels/metro/linhas/feed.atom").Body.String())
	feed.XMLName = xml.Name{}
	const address, page = origin + "/channels/metro/linhas/feed", origin + "/channels/metro/linhas"
	check.Equal(t, "feed", feed, atomFeed{
		ID: channelID, Title: "Linhas", Subtitle: "Perturbações.", Updated: "2026-03-01T12:00:00Z",
		Author: &atomPerson{Name: "Metro de Lisboa"}, Icon: origin + "/pictures/signed/https://metro.example/icon.png",
		Logo: origin + "/pictures/signed/https://metro.example/icon.png",
		Links: []atomLink{{"self", "application/atom+xml", address + ".atom"}, {"alternate", "text/html", page},
			{"alternate", "application/feed+json", address + ".json"}},
		Entries: []atomEntry{{ID: entryID, Title: "Linha azul reaberta", Published: "2026-03-01T12:00:00Z",
			Updated: "2026-03-01T12:00:00Z", Author: atomPerson{"Metro de Lisboa", origin + "/channels/metro"},
			Categories: []atomCategory{{"Linhas"}, {"important"}},
			Links: []atomLink{{"alternate", "text/html", entryPage},
				{"related", "", "https://metro.example/azul?a=1&b=2"}, {"enclosure", "", picture}},
			Content: &atomText{"html", "<p>A circulação foi retomada.<br>Boa viagem.</p>" +
				`<p><a href="https://metro.example/azul?a=1&amp;b=2">https://metro.example/azul?a=1&amp;b=2</a></p>`}}},
	})
}

func TestJSONFeed(t *testing.T) {
	feed := readJSON(t, get(t, newHandler(newSource()), "/channels/metro/linhas/feed.json").Body.String())
	check.Equal(t, "feed", feed, jsonDocument{
		Version: "https://jsonfeed.org/version/1.1", Title: "Linhas", HomePageURL: origin + "/channels/metro/linhas",
		FeedURL: origin + "/channels/metro/linhas/feed.json", Description: "Perturbações.",
		Icon: origin + "/pictures/signed/https://metro.example/icon.png", Authors: []jsonAuthor{{Name: "Metro de Lisboa"}},
		Items: []jsonItem{{ID: entryID, URL: entryPage, ExternalURL: "https://metro.example/azul?a=1&b=2",
			Title: "Linha azul reaberta", ContentText: "A circulação foi retomada.\nBoa viagem.", Image: picture,
			DatePublished: start, DateModified: start, Tags: []string{"Linhas", "important"},
			Authors: []jsonAuthor{{"Metro de Lisboa", origin + "/channels/metro"}}}},
	})
}

// TestCorrectionIsAnUpdate expects the same id with another time.
func TestCorrectionIsAnUpdate(t *testing.T) {
	s := newSource()
	s.items[0].EditedAt = new(start.Add(time.Hour))
	handler := newHandler(s)
	feed := readAtom(t, get(t, handler, "/channels/metro/feed.atom").Body.String())
	entry := feed.Entries[0]
	check.Equal(t, "entry", []string{entry.ID, entry.Published, entry.Updated},
		[]string{entryID, "2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z"})
	check.Equal(t, "time of the feed", feed.Updated, "2026-03-01T13:00:00Z")
	item := readJSON(t, get(t, handler, "/channels/metro/feed.json").Body.String()).Items[0]
	check.Equal(t, "item", []any{item.ID, item.DatePublished, item.DateModified},
		[]any{entryID, start, start.Add(time.Hour)})
}

func TestPersonalFeed(t *testing.T) {
	s := newSource()
	handler := newHandler(s)
	feed := readAtom(t, get(t, handler, "/feeds/snf_live_x.atom").Body.String())
	check.Equal(t, "feed", []any{feed.Title, feed.Author, feed.Icon, feed.Links[0].Href, feed.Links[1].Href},
		[]any{"Sininho", (*atomPerson)(nil), origin + "/icon-512.png", origin + "/feeds/snf_live_x.atom", origin + "/feed"})
	check.Equal(t, "author of its entry", feed.Entries[0].Author.Name, "Metro de Lisboa")
	s.items = nil
	check.Equal(t, "items of an empty feed",
		strings.Contains(get(t, handler, "/feeds/snf_live_x.json").Body.String(), `"items":[]`), true)
	check.Equal(t, "entries of an empty feed",
		len(readAtom(t, get(t, handler, "/feeds/snf_live_x.atom").Body.String()).Entries), 0)
}

// TestHostileTexts writes what would end an element, is no XML, or is markup, in every text.
func TestHostileTexts(t *testing.T) {
	for _, hostile := range []string{
		"]]>", "<![CDATA[x]]>", `</title><script>alert("1")</script>`, "&lt;b&gt;", "\x00\x01\x08\x0b\x1f\x7f", "\ufffe\uffff",
		"\xff\xfe", "\u202eevil", "<!--", `" onmouseover="x`, strings.Repeat("🔔", 20_000),
	} {
		s := newSource()
		f := s.feeds["metro"]
		f.Title, f.Author, f.Description = "T"+hostile, "A"+hostile, hostile
		s.feeds["metro"] = f
		n := &s.items[0]
		n.Title, n.Body, n.Publisher, n.Channel.Name = "T"+hostile, hostile, "P"+hostile, "C"+hostile
		handler := newHandler(s)
		shown := fmt.Sprintf("with %.40q", hostile)
		feed := readAtom(t, get(t, handler, "/channels/metro/feed.atom").Body.String())
		check.Equal(t, "title "+shown, feed.Entries[0].Title, inXML("T"+hostile))
		check.Equal(t, "author "+shown, feed.Entries[0].Author.Name, inXML("P"+hostile))
		if content := feed.Entries[0].Content.Text; strings.Contains(content, "<script") ||
			strings.Contains(content, "<!") {
			t.Errorf("content %s: got %s, want no markup of the publisher's", shown, content)
		}
		item := readJSON(t, get(t, handler, "/channels/metro/feed.json").Body.String()).Items[0]
		check.Equal(t, "text "+shown, item.ContentText, strings.ToValidUTF8(hostile, "\ufffd\ufffd"))
	}
}

// inXML returns a text with what XML forbids replaced.
func inXML(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < ' ' || r == '\ufffe' || r == '\uffff' {
			r = '\ufffd'
		}
		out.WriteRune(r)
	}
	return out.String()
}

func TestPicturesWithoutAProxy(t *testing.T) {
	s := newSource()
	handler := newHandler(s, func(c *Config) { c.Picture = nil })
	enclosure := func() string {
		return readJSON(t, get(t, handler, "/channels/metro/feed.json").Body.String()).Items[0].Image
	}
	check.Equal(t, "picture", enclosure(), "https://metro.example/azul.jpg")
	for _, refused := range []string{"data:image/png;base64,AA", "javascript:alert(1)", "/x.png", ""} {
		s.items[0].Image = refused
		check.Equal(t, "picture at "+refused, enclosure(), "")
	}
}

// TestRefusedPicture has a picture that the server does not serve.
func TestRefusedPicture(t *testing.T) {
	handler := newHandler(newSource(), func(c *Config) { c.Picture = func(string) string { return "" } })
	feed := readAtom(t, get(t, handler, "/channels/metro/linhas/feed.atom").Body.String())
	check.Equal(t, "icon", feed.Icon, origin+"/icon-512.png")
	check.Equal(t, "links of the entry", len(feed.Entries[0].Links), 2)
	check.Equal(t, "id", core.ID{1}.URN(), feed.ID)
}
