package ntfy

import (
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
)

// since is where the messages begin that a subscription gets of what was published before.
type since struct {
	none   bool
	latest bool
	id     uuid.UUID // the last one that the client has
	time   time.Time
}

func parseSince(r *http.Request, poll bool, now time.Time) (since, error) {
	s := param(r, "X-Since", "Since", "Si")
	switch s {
	case "":
		return since{none: !poll}, nil
	case "none":
		return since{none: true}, nil
	case "all":
		return since{}, nil
	case "latest":
		return since{latest: true}, nil
	}
	if id, err := uuid.Parse(s); err == nil {
		return since{id: id}, nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return since{time: time.Unix(n, 0)}, nil
	}
	if d, ok := parseDuration(s); ok {
		return since{time: now.Add(-d)}, nil
	}
	return since{}, errSince.because("use all, none, latest, a duration such as 10m, a Unix time or an id")
}

// ends reports whether a message, of those that come newest first, was before the first that is wanted.
func (s since) ends(n api.Notification) bool {
	return n.ID == s.id || timeOf(n).Before(s.time)
}
