package push

import (
	"maps"
	"strconv"

	"github.com/sininho/sininho/server/internal/core"
)

// Data returns the data that a service worker reads beside the notification.
func Data(p core.Push) map[string]string {
	data := map[string]string{"id": p.ID, "channel": p.Channel, "channelId": p.ChannelID, "link": p.Link}
	if !p.Published.IsZero() {
		data["publishedAt"] = strconv.FormatInt(p.Published.UnixMilli(), 10)
	}
	if p.Quiet {
		data["quiet"] = "true"
	}
	if p.Again {
		data["again"] = "true"
	}
	if p.Important {
		data["importance"] = string(core.Important)
	}
	return filled(data)
}

// Revision returns the data of a data-only message: the device shows the change if it still shows the notification.
func Revision(p core.Push) map[string]string {
	data := map[string]string{
		"revision": string(p.Revision), "revisedAt": strconv.FormatInt(p.RevisedAt.UnixMilli(), 10),
	}
	if p.Revision == core.ReadElsewhere {
		data["ids"], data["channelId"] = p.Read, p.ChannelID
		return filled(data)
	}
	data["id"] = p.ID
	if p.Revision == core.Corrected {
		maps.Copy(data, Data(p))
		maps.Copy(data, map[string]string{"title": p.Title, "body": p.Body, "image": p.Image, "icon": p.Icon})
	}
	return filled(data)
}

func filled(data map[string]string) map[string]string {
	maps.DeleteFunc(data, func(_, v string) bool { return v == "" })
	return data
}
