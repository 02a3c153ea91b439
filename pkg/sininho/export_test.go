//go:build go1.26

package sininho

import "time"

// WholeInput returns an input with every field set.
func WholeInput() PublishInput {
	tomorrow := time.Now().UTC().Truncate(time.Second).AddDate(0, 0, 1)
	return PublishInput{
		Title: "Linha azul reaberta", Body: "a\r\n\t😀\n", Image: "https://example.com/i.png",
		Icon: "https://example.com/c.png", Link: "https://example.com/l", Importance: Important,
		Data: map[string]string{"build": "1842"}, ExternalID: "inc/1",
		ScheduledAt: tomorrow.In(time.FixedZone("", 3600)),
		ExpiresAt:   tomorrow.AddDate(100, 0, 0),
	}
}
