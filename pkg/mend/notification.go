package mend

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
)

// Keep is the part of a long body that is kept.
type Keep struct {
	// End keeps the end instead of the beginning, as the end of a log says what went wrong.
	End bool
	// Skipped is the number of characters before the body that the caller has cut already.
	Skipped int
}

// Texts mends a title and a body. Without a title, the first line of the body is the title. A title that is too long is
// cut, and the body begins with the whole of it.
func Texts(title, body string, keep Keep) (mendedTitle, mendedBody string, adjusted Adjustments) {
	body, removed := Prose(body)
	adjusted.Add("#/body", removed)
	_, removed = Prose(title)
	adjusted.Add("#/title", removed)
	if title = Line(title); rules.IsBlank(title) {
		title, body = SplitTitle(body)
		if title = Line(title); title != "" {
			adjusted.Add("#/title", "was missing, and is the first line of the body")
		}
	}
	whole := ""
	if n := utf8.RuneCountInString(title); n > rules.MaxTitle {
		if !strings.HasPrefix(body, title) {
			whole = title + "\n\n"
		}
		title = CutLine(title, rules.MaxTitle)
		adjusted.Add("#/title", shortened(n, utf8.RuneCountInString(title))+"; the body begins with the whole")
	}
	before := utf8.RuneCountInString(whole+body) + keep.Skipped
	if body = keep.fit(whole, body); utf8.RuneCountInString(body) < before {
		adjusted.Add("#/body", shortened(before, utf8.RuneCountInString(body)))
	}
	return title, body, adjusted
}

// fit returns both texts, cut to rules.MaxBody characters.
func (k Keep) fit(whole, body string) string {
	if utf8.RuneCountInString(whole) > rules.MaxBody/2 {
		whole = cutEnd(whole, rules.MaxBody/2) + "\n\n"
	}
	limit := rules.MaxBody - utf8.RuneCountInString(whole)
	long := utf8.RuneCountInString(body) > limit
	switch {
	case k.End && (long || k.Skipped > 0):
		return whole + cutStart(body, limit, k.Skipped)
	case long:
		return whole + cutEnd(body, limit)
	case body == "":
		return strings.TrimSpace(whole)
	default:
		return whole + body
	}
}

// SplitTitle splits a report into its first line with something visible, which is its title, and the rest, without a
// blank line between. Neither is mended.
func SplitTitle(report string) (title, body string) {
	for report != "" && rules.IsBlank(title) {
		title, report, _ = strings.Cut(report, "\n")
	}
	if rules.IsBlank(title) {
		return "", ""
	}
	title = strings.TrimSuffix(title, "\r")
	return title, strings.TrimPrefix(strings.TrimPrefix(report, "\r"), "\n")
}

// Notification mends the members of a notification whose sender is a program that cannot correct them. Its times are
// left as they are.
func Notification(n rules.Notification, links rules.Links) (rules.Notification, Adjustments) {
	var a, texts Adjustments
	n.Title, n.Body, texts = Texts(n.Title, n.Body, Keep{})
	for _, each := range texts {
		a.Add(each.Pointer, each.Reason)
	}
	n.Link = a.link("#/link", n.Link, func(s string) (f rules.Faults) {
		f.Destination("#/link", s, links)
		return f
	})
	picture := func(pointer, address string) string {
		return a.link(pointer, address, func(s string) (f rules.Faults) {
			f.Picture(pointer, s, links)
			return f
		})
	}
	n.Image, n.Icon = picture("#/image", n.Image), picture("#/icon", n.Icon)
	n.Importance = a.importance(n.Importance)
	n.Data = a.data(n.Data)
	n.ExternalID = a.externalID(n.ExternalID)
	return n, a
}

// importance returns the importance, whatever its case, or none for any other word.
func (a *Adjustments) importance(s string) string {
	switch word := strings.ToLower(Line(s)); word {
	case "", "normal", "important":
		return word
	default:
		a.Add("#/importance", "is neither normal nor important, and was dropped")
		return ""
	}
}

// externalID returns an id as a line. A line that is too long is replaced by its hash, which still distinguishes it.
func (a *Adjustments) externalID(s string) string {
	line := Line(s)
	if utf8.RuneCountInString(line) <= rules.MaxExternalID {
		return line
	}
	a.Add("#/externalId", "was too long, and was replaced by its hash")
	return Digest(line)
}

// Digest returns 32 hexadecimal digits that stand for a text.
func Digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

func (a *Adjustments) data(data map[string]string) map[string]string {
	if len(data) == 0 {
		return nil
	}
	kept := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(data)) {
		value, removed := Prose(data[key])
		switch {
		case !rules.IsDataKey(key):
			a.Add("#/data", "had a key that is not allowed, which was dropped: "+CutLine(Line(key), 64))
			continue
		case len(kept) == rules.MaxData:
			a.Add("#/data", "had too many entries; the others were dropped")
			return kept
		}
		a.Add("#/data/"+key, removed)
		if n := utf8.RuneCountInString(value); n > rules.MaxDataValue {
			value = string([]rune(value)[:rules.MaxDataValue-1]) + "…"
			a.Add("#/data/"+key, shortened(n, rules.MaxDataValue))
		}
		kept[key] = value
	}
	return kept
}
