package ntfy

import (
	"net/http"
	"slices"
)

// filter selects messages. An empty member selects all.
type filter struct {
	id, message, title string
	tags               []string // all of them
	priorities         []int    // any of them
}

func parseFilter(r *http.Request) (f filter, err error) {
	f = filter{id: param(r, "X-ID", "ID"), message: param(r, "X-Message", "Message", "M"),
		title: param(r, "X-Title", "Title", "T"), tags: listParam(r, "X-Tags", "Tags", "Tag", "Ta")}
	for _, name := range listParam(r, "X-Priority", "Priority", "Prio", "P") {
		p, err := parsePriority(name)
		if err != nil {
			return f, err
		}
		f.priorities = append(f.priorities, p)
	}
	return f, nil
}

// passes reports whether a message is selected. Other events are always.
func (f filter) passes(m message) bool {
	if m.Event != eventMessage {
		return true
	}
	is := func(want, got string) bool { return want == "" || want == got }
	priority := m.Priority
	if priority == 0 {
		priority = defaultPriority
	}
	missing := func(tag string) bool { return !slices.Contains(m.Tags, tag) }
	return is(f.id, m.ID) && is(f.message, m.Message) && is(f.title, m.Title) &&
		(len(f.priorities) == 0 || slices.Contains(f.priorities, priority)) && !slices.ContainsFunc(f.tags, missing)
}
