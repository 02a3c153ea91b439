package mend

import (
	"fmt"
	"strings"

	"github.com/sininho/sininho/pkg/rules"
)

// link returns a link without faults: as it is, with characters escaped, or none.
func (a *Adjustments) link(pointer, link string, check func(string) rules.Faults) string {
	if link = Line(link); link == "" {
		return ""
	}
	faults := check(link)
	if len(faults) == 0 {
		return link
	}
	if escaped := escape(link); escaped != link && len(check(escaped)) == 0 {
		a.Add(pointer, "had characters that were escaped")
		return escaped
	}
	a.Add(pointer, "was dropped, because it "+faults[0].Detail.EN)
	return ""
}

// escape escapes the characters that only people write in links. It leaves the host as it is.
func escape(link string) string {
	path := 0
	if i := strings.Index(link, "://"); i >= 0 {
		path = i + len("://")
		path += max(0, strings.IndexAny(link[path:], "/?#"))
	}
	var b strings.Builder
	b.WriteString(link[:path])
	for _, r := range link[path:] {
		if strings.ContainsRune(" \"<>\\^`{|}", r) {
			fmt.Fprintf(&b, "%%%02X", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
