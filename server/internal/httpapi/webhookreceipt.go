package httpapi

import (
	"encoding/binary"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// toAPIReceipt returns the response to a webhook event in the form that its sender checks: programs for Slack look for
// the text ok, and those for Discord for no content or, if they wait, for a message.
func (c *call) toAPIReceipt(e core.ReceivedEvent, creation core.Creation) gen.ReceiveWebhookResponseObject {
	switch {
	case c.webhook.Sender == core.SenderSlack:
		return gen.ReceiveWebhook200TextResponse("ok")
	case c.webhook.Sender == core.SenderDiscord && waits(c.request.URL.Query()):
		return gen.ReceiveWebhook200JSONResponse(c.toAPIDiscordMessage(e))
	case c.webhook.Sender == core.SenderDiscord:
		return gen.ReceiveWebhook204Response{}
	}
	return gen.ReceiveWebhook202JSONResponse{
		Outcome: api.WebhookOutcome(e.Outcome), NotificationID: e.NotificationID, Detail: optional(e.Detail),
		Duplicate: creation != core.Created, Adjusted: toAPIAdjusted(e.Adjusted),
	}
}

// waits reports whether a program for Discord asks for the message.
func waits(query url.Values) bool {
	wait, err := strconv.ParseBool(query.Get("wait"))
	return err == nil && wait
}

const maxDiscordContent = 2000

func (c *call) toAPIDiscordMessage(e core.ReceivedEvent) api.DiscordMessage {
	var posted struct {
		Content string `json:"content"`
	}
	_ = json.Unmarshal(c.payload.JSON, &posted) // what has no content has embeds
	id := c.webhook.ID
	if e.NotificationID != nil {
		id = *e.NotificationID
	}
	return api.DiscordMessage{
		ID:        snowflake(id),
		ChannelID: snowflake(c.webhook.Channel.ID),
		Content:   truncate(posted.Content, maxDiscordContent),
		Timestamp: e.ReceivedAt.UTC(),
	}
}

// snowflake returns a number in decimal, as the ids of Discord are, made of the id's time and what follows it.
func snowflake(id core.ID) string {
	const half, bits, decimal = 8, 63, 10
	return strconv.FormatUint(binary.BigEndian.Uint64(id[:half])&(1<<bits-1), decimal)
}
