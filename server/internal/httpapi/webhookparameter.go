package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/pkg/mend"
)

// webhookParameters are the query parameters that complete a text or form for a webhook.
var webhookParameters = []string{"title", "link", "image", "icon", "importance", "externalId"}

// parameters returns what the query and the headers say of a notification. Anyone may have added to a signed event, and
// other senders have parameters of their own, so those have none.
func (c *call) parameters(query url.Values) map[string]string {
	given := map[string]string{}
	if !c.webhook.TakesParameters() {
		return given
	}
	for _, name := range webhookParameters {
		if value := query.Get(name); value != "" {
			given[name] = value
		}
	}
	header := c.request.Header
	add := func(name, value string) {
		if given[name] == "" && value != "" {
			given[name] = value
		}
	}
	add("title", mend.Header(header.Get("Title")))
	add("link", header.Get("Link"))
	for _, priority := range priorities(header.Values("Priority")) {
		importance, ok := importances[strings.ToLower(strings.TrimSpace(priority))]
		if !ok {
			c.payload.Adjusted.Add("#/importance", "is no known priority, and was dropped")
		}
		add("importance", string(importance))
	}
	return given
}

// isTitled reports whether the query or a header has the title of a webhook's text, which may then be empty.
func (c *call) isTitled(r *http.Request) bool {
	return c.parameters(r.URL.Query())["title"] != ""
}
