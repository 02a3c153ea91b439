package live

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sininho/sininho/server/internal/core"
)

// frame is one server-sent event, encoded once for all streams.
type frame struct {
	position int64 // 0: has no id
	bytes    []byte
}

func event(position int64, kind string, data []byte) frame {
	b := make([]byte, 0, len(data)+len(kind)+40)
	if position > 0 {
		b = append(strconv.AppendInt(append(b, "id: "...), position, 10), '\n')
	}
	b = append(append(append(b, "event: "...), kind...), "\ndata: "...)
	return frame{position, append(append(b, data...), "\n\n"...)}
}

// change is the event of a change for a stream that has seen everything up to after.
func (h *Hub) change(c core.Change, after int64) frame {
	if !c.Notification.Visible {
		data, _ := json.Marshal(map[string]core.ID{"id": c.Notification.ID, "channelId": c.Notification.Channel.ID})
		return event(c.Position, "withdrawn", data)
	}
	kind := "corrected"
	if c.PublishedPosition > after {
		kind = "notification"
	}
	return event(c.Position, kind, h.Encode(c.Notification))
}

// hello tells the client where it stands and how long to wait before it reconnects.
func hello(position int64, retryMillis int) []byte {
	return fmt.Appendf(nil, "retry: %d\nid: %d\n\n", retryMillis, position)
}

func reset(position int64) frame { return event(position, "reset", []byte("{}")) }

var heartbeat = []byte(":\n\n")
