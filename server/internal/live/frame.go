package live

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sininho/sininho/server/internal/core"
)

// frame is one server-sent event, encoded once for all streams.
type frame struct {
	position int64 // 0: without an id
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

// change returns the event of a change, the same for every stream.
func (h *Hub) change(c core.Change) frame {
	if c.Kind == core.ChangeWithdrawn {
		data, _ := json.Marshal(map[string]core.ID{"id": c.Notification.ID, "channelId": c.Notification.Channel.ID})
		return event(c.Position, string(c.Kind), data)
	}
	return event(c.Position, string(c.Kind), h.Encode(c.Notification))
}

// hello returns the first block of a stream: the delay before reconnecting and the position at which the stream begins.
func hello(position int64) frame {
	return frame{bytes: fmt.Appendf(nil, "retry: %d\nid: %d\n\n", retry(), position)}
}

// helloReset returns the first block of a stream that cannot resume at the client's position. It is one block, because
// a client that received the position without the reset would never learn that it missed something.
func helloReset(position int64) frame {
	return frame{bytes: fmt.Appendf(nil, "retry: %d\nid: %d\nevent: reset\ndata: {}\n\n", retry(), position)}
}

// size returns the bytes of frames.
func size(frames []frame) (n int) {
	for _, f := range frames {
		n += len(f.bytes)
	}
	return n
}

var heartbeat = frame{bytes: []byte(":\n\n")}
