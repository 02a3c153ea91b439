package ntfy

import (
	"strings"

	"github.com/kyokomi/emoji/v2"
)

// emojis returns the emojis that tags stand for, with which a title begins in ntfy's apps.
func emojis(tags []string) string {
	var b strings.Builder
	for _, tag := range tags {
		if e := emoji.CodeMap()[":"+tag+":"]; e != "" {
			b.WriteString(strings.TrimSpace(e) + " ")
		}
	}
	return b.String()
}
