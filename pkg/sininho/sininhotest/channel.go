package sininhotest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
)

type channel struct {
	sininho.Channel
	updatedAt     time.Time
	notifications []*notification // oldest first
}

func (s *store) addChannel(p *sininho.PublisherRef, c sininho.Channel, category *sininho.Category) *channel {
	c.ID, c.CreatedAt = newID(), now()
	c.PublisherSlug, c.Publisher = p.Slug, *p
	c.Category = refOf(category)
	added := &channel{Channel: c, updatedAt: c.CreatedAt}
	s.channels = append(s.channels, added)
	return added
}

func refOf(c *sininho.Category) sininho.CategoryRef {
	return sininho.CategoryRef{ID: c.ID, Slug: c.Slug, Name: c.Name}
}

func (s *store) channel(address sininho.Address) *channel {
	for _, c := range s.channels {
		if c.Address() == address {
			return c
		}
	}
	return nil
}

// inPath returns the channel that the path names.
func (s *store) inPath(r *request) (*channel, error) {
	address := sininho.Address{Publisher: r.PathValue("publisherSlug"), Channel: r.PathValue("channelSlug")}
	if c := s.channel(address); c != nil {
		return c, nil
	}
	return nil, notFound()
}

// editable returns the channel that the path names, if the key may edit it.
func (s *store) editable(r *request, scope sininho.Scope) (*channel, error) {
	c, err := s.inPath(r)
	if err != nil {
		return c, err
	}
	return c, r.key.authorizeAny(c.PublisherSlug, scope)
}

// shown returns the channel as the API shows it.
func (c *channel) shown(status int) *reply {
	shown := c.Channel
	for _, n := range c.notifications {
		if n.visible {
			shown.NotificationCount++
			if n.PublishedAt.After(shown.LastPublishedAt) {
				shown.LastPublishedAt = n.PublishedAt
			}
		}
	}
	return &reply{status: status, value: shown, version: etag(c.updatedAt)}
}

func (s *Server) listChannels(r *request) (*reply, error) {
	query := r.URL.Query()
	wanted := wordsOf(query.Get("q"))
	if len(wanted) > maxSearchWords {
		return nil, invalid(sininho.FieldError{Pointer: "query:q", Code: "too_many", Detail: "has more than 8 words"})
	}
	found, rank := []sininho.Channel{}, map[string]int{}
	for _, c := range slices.Backward(s.store.channels) { // newest first, because no channel has followers
		shown := c.shown(http.StatusOK).value.(sininho.Channel)
		listed := c.Visibility == sininho.Public || r.key != nil && query.Get("publisher") == r.key.publisher.Slug
		selected := matches(query.Get("category"), c.Category.Slug) && matches(query.Get("publisher"), c.PublisherSlug)
		contains := strings.TrimSpace(query.Get("q")) == ""
		if !contains {
			rank[c.ID], contains = c.rank(wanted)
		}
		if listed && selected && contains {
			found = append(found, shown)
		}
	}
	if query.Get("sort") == string(sininho.SortActive) {
		slices.SortFunc(found, func(a, b sininho.Channel) int {
			return cmp.Or(b.LastPublishedAt.Compare(a.LastPublishedAt), cmp.Compare(b.ID, a.ID))
		})
	}
	slices.SortStableFunc(found, func(a, b sininho.Channel) int { return cmp.Compare(rank[a.ID], rank[b.ID]) })
	return paged(r, found), nil
}

func matches(wanted, value string) bool { return wanted == "" || wanted == value }

const maxSearchWords = 8

const (
	maxSearched     = 50    // notifications, the latest
	maxSearchedText = 2_000 // characters of each
)

// rank reports whether each wanted word is the beginning of a word by which the channel is found, and how it ranks:
// first by its name, then by its description, its publisher or its category, then by what it has published.
func (c *channel) rank(wanted []string) (rank int, found bool) {
	var words []string
	texts := []string{
		c.Name + " " + c.Slug,
		strings.Join([]string{c.Description, c.Publisher.Name, c.PublisherSlug, c.Category.Name, c.Category.Slug}, " "),
		c.published(),
	}
	for rank, text := range texts {
		words = append(words, wordsOf(text)...)
		if hasWords(words, wanted) {
			return rank, true
		}
	}
	return 0, false
}

// published returns the texts of the latest notifications.
func (c *channel) published() string {
	var latest []*notification
	for _, n := range c.notifications {
		if n.visible {
			latest = append(latest, n)
		}
	}
	slices.SortStableFunc(latest, func(a, b *notification) int { return b.PublishedAt.Compare(a.PublishedAt) })
	var texts []string
	for _, n := range latest[:min(len(latest), maxSearched)] {
		text := []rune(n.Title + " " + n.Body)
		texts = append(texts, string(text[:min(len(text), maxSearchedText)]))
	}
	return strings.Join(texts, " ")
}

// hasWords reports whether each wanted word is the beginning of a word.
func hasWords(words, wanted []string) bool {
	for _, word := range wanted {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, word) }) {
			return false
		}
	}
	return len(wanted) > 0
}

func wordsOf(text string) []string {
	words := strings.FieldsFunc(unaccented.Replace(strings.ToLower(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slices.Sort(words)
	return slices.Compact(words)
}

var unaccented = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ç", "c", "é", "e", "ê", "e", "í", "i",
	"ó", "o", "ô", "o", "õ", "o", "ú", "u", "ü", "u")

func channelInputOf(in api.ChannelInput) sininho.ChannelInput {
	return sininho.ChannelInput{Name: in.Name, Description: value(in.Description), Icon: value(in.Icon),
		CategoryID: in.CategoryID.String(), Visibility: sininho.Visibility(value(in.Visibility))}
}

func rulesOfChannelInput(body []byte) error {
	in := decoded[api.ChannelInput](body)
	return serverRules(channelInputOf(in).Validate(), "")
}

func (s *Server) createChannel(r *request) (*reply, error) {
	in := decoded[api.ChannelInput](r.body)
	if s.store.publisher(in.PublisherSlug) == nil {
		return nil, notFound()
	}
	if err := r.key.authorizeAny(in.PublisherSlug, sininho.ScopeChannels); err != nil {
		return nil, err
	}
	var f faults
	if f.rules(rulesOfChannelInput(r.body)); len(f) > 0 {
		return nil, f.err()
	}
	return s.store.once(r, func() (*reply, error) { return s.store.newChannel(r.key.publisher, in) })
}

func (s *store) newChannel(p *sininho.PublisherRef, in api.ChannelInput) (*reply, error) {
	if s.channel(sininho.Address{Publisher: p.Slug, Channel: in.Slug}) != nil {
		return nil, &refusal{status: http.StatusConflict, code: sininho.CodeSlugTaken,
			detail: "The publisher already has a channel with this slug."}
	}
	category := s.category(in.CategoryID.String())
	if category == nil {
		return nil, invalid(noCategory)
	}
	c := sininho.Channel{Slug: in.Slug, Name: in.Name, Description: value(in.Description), Icon: value(in.Icon),
		Visibility: cmp.Or(sininho.Visibility(value(in.Visibility)), sininho.Public),
		KeepDays:   int(value(in.KeepDays)), KeepCount: int(value(in.KeepCount))}
	out := s.addChannel(p, c, category).shown(http.StatusCreated)
	out.location = base + "/channels/" + p.Slug + "/" + in.Slug
	return out, nil
}

var noCategory = sininho.FieldError{Pointer: "#/categoryId", Code: "unknown", Detail: "is not a category"}

func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

func (s *Server) getChannel(r *request) (*reply, error) {
	c, err := s.store.inPath(r)
	if err != nil {
		return nil, err
	}
	return c.shown(http.StatusOK), nil
}

func rulesOfChannelPatch(body []byte) error {
	in := decoded[api.ChannelPatch](body)
	icon, _ := in.Icon.Get()
	update := sininho.ChannelUpdate{Name: in.Name, Description: in.Description, Icon: &icon}
	return serverRules(update.Validate(), "")
}

func (s *Server) updateChannel(r *request) (*reply, error) {
	c, err := s.store.editable(r, sininho.ScopeChannels)
	if err != nil {
		return nil, err
	}
	var f faults
	if f.rules(rulesOfChannelPatch(r.body)); len(f) > 0 {
		return nil, f.err()
	}
	if err := checkSeen(r, c.updatedAt); err != nil {
		return nil, err
	}
	in := decoded[api.ChannelPatch](r.body)
	if in.CategoryID != nil {
		category := s.store.category(in.CategoryID.String())
		if category == nil {
			return nil, invalid(noCategory)
		}
		c.Category = refOf(category)
	}
	set(&c.Name, in.Name)
	set(&c.Description, in.Description)
	set(&c.Visibility, (*sininho.Visibility)(in.Visibility))
	if in.Icon.IsSpecified() {
		c.Icon, _ = in.Icon.Get()
	}
	if in.KeepDays.IsSpecified() {
		days, _ := in.KeepDays.Get()
		c.KeepDays = int(days)
	}
	if in.KeepCount.IsSpecified() {
		count, _ := in.KeepCount.Get()
		c.KeepCount = int(count)
	}
	for _, n := range c.notifications {
		n.Channel = c.ref()
	}
	c.updatedAt = later(c.updatedAt)
	return c.shown(http.StatusOK), nil
}

func set[T any](to, v *T) {
	if v != nil {
		*to = *v
	}
}

// later returns the current time, or a time just after before if that is later.
func later(before time.Time) time.Time {
	if at := now(); at.After(before) {
		return at
	}
	return before.Add(time.Microsecond)
}

func (c *channel) ref() sininho.ChannelRef {
	return sininho.ChannelRef{ID: c.ID, PublisherSlug: c.PublisherSlug, Slug: c.Slug, Name: c.Name, Icon: c.Icon}
}

func (s *Server) deleteChannel(r *request) (*reply, error) {
	c, err := s.store.editable(r, sininho.ScopeChannels)
	if err == nil {
		err = checkSeen(r, c.updatedAt)
	}
	if err != nil {
		return nil, err
	}
	s.store.channels = slices.DeleteFunc(s.store.channels, func(other *channel) bool { return other == c })
	s.store.cutStreams()
	return &reply{status: http.StatusNoContent}, nil
}
