package sininho

import "time"

// WholeInput has every field set.
func WholeInput() PublishInput {
	return PublishInput{
		Title: "Linha azul reaberta", Body: "a\x00\u202e😀\n", Image: "https://example.com/i.png",
		Icon: "https://example.com/c.png", Link: "https://example.com/l", Importance: Important,
		Data: map[string]string{"build": "1842"}, ExternalID: "inc/1",
		ScheduledAt: time.Date(2126, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600)),
		ExpiresAt:   time.Date(2126, 3, 2, 12, 0, 0, 0, time.UTC),
	}
}
