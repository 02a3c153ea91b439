package mend_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
)

// FuzzNotification expects no fault in what was mended, unless nothing in it is visible, and mends nothing twice.
func FuzzNotification(f *testing.F) {
	f.Add([]byte("title\n\nbody \x1b[31m"), "http://nas.local:8080/a b", "important")
	f.Add([]byte("\xff\xfea\x00"), "javascript:alert(1)", "\u202e")
	f.Add([]byte("a\x1b]\n\u2028\x9b1"), "https://ana:x@example.com/\\", "HIGH")
	f.Fuzz(func(t *testing.T, text []byte, link, other string) {
		body, _ := mend.UTF8(text)
		links := rules.Links{Origin: "https://sininho.example.com"}
		n, _ := mend.Notification(rules.Notification{Title: other, Body: body, Link: link, Image: link, Icon: other,
			Importance: other, ExternalID: other, Data: map[string]string{"a": body, other: link}}, links)
		for _, fault := range n.Faults(links, time.Now()) {
			if fault.Pointer != "#/title" || fault.Code != "blank" && fault.Code != "too_short" {
				t.Errorf("mended %q, %q, %q: got the fault %+v", text, link, other, fault)
			}
		}
		if again, adjusted := mend.Notification(n, links); len(adjusted) > 0 {
			t.Errorf("mended twice: got %+v, then %+v with %v", n, again, adjusted)
		}
	})
}
