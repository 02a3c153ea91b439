package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

// maxFile bounds the size of a file, which is checked as a whole before the first message is sent.
const maxFile = 512 << 20

// place is the position of a message in the file.
type place struct {
	line int
	// element is its number in an array; 0 in JSON lines.
	element int
}

// String returns the position as written in messages to the user.
func (p place) String() string {
	if p.element == 0 {
		return fmt.Sprintf("line %d", p.line)
	}
	return fmt.Sprintf("line %d, element %d", p.line, p.element)
}

// column returns the position as written in a table.
func (p place) column() string {
	if p.element == 0 {
		return strconv.Itoa(p.line)
	}
	return fmt.Sprintf("%d#%d", p.line, p.element)
}

// item is one message of a file.
type item struct {
	place
	in  sininho.PublishInput
	key string
}

// publishFile publishes each message of a file.
func publishFile(s *session, c *cli.Context, channel string) error {
	if n := c.Int("concurrency"); n < 1 || n > 64 {
		return usageOf(c, "--concurrency takes 1 to 64, not %d", n)
	}
	text, err := s.readFile(c.Context, c.String("file"))
	if err != nil {
		return err
	}
	items, err := s.readItems(text)
	if err != nil {
		return err
	}
	client, err := s.signIn(batchOptions()...)
	if err != nil {
		return err
	}
	setKeys(items, channel, c.String("idempotency-key"))
	batch := &batch{session: s, client: client, channel: channel, items: items, groups: groupsOf(items)}
	if s.json { // which writes the whole notification
		batch.groups = each(items)
	}
	return batch.run(c.Context, c.Int("concurrency"))
}

func (s *session) readFile(ctx context.Context, path string) ([]byte, error) {
	source := s.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("the file cannot be read: %w", err)
		}
		defer file.Close()
		source = file
	}
	text, err := readAll(ctx, source, maxFile)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("the file has more than %d MiB; split it", maxFile>>20)
	}
	return bytes.TrimPrefix(text, []byte(byteOrderMark)), nil
}

// rawItem is a message before it is parsed.
type rawItem struct {
	place
	text []byte
}

// readItems parses and checks all messages, and reports the faults of every line.
func (s *session) readItems(text []byte) ([]item, error) {
	raw, err := split(text)
	if err != nil {
		s.talk("sininho: nothing was sent: %v", err)
		return nil, errFaulty
	}
	var items []item
	faulty := 0
	for _, r := range raw {
		in, faults := parseItem(r.text)
		if len(faults) > 0 {
			faulty++
			for _, fault := range faults {
				s.talk("%s: %s", r.place, fault)
			}
		}
		items = append(items, item{place: r.place, in: in})
	}
	switch {
	case faulty > 0:
		s.talk("sininho: nothing was sent: %d of %d messages have faults; correct them and run it again",
			faulty, len(raw))
		return nil, errFaulty
	case len(items) == 0:
		s.talk("sininho: the file has no messages")
		return nil, errFaulty
	}
	return items, nil
}

// split separates JSON lines, or the elements of an array.
func split(text []byte) ([]rawItem, error) {
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		return splitArray(text)
	}
	var raw []rawItem
	line := 0
	for l := range bytes.Lines(text) {
		line++
		if l = bytes.TrimSpace(l); len(l) > 0 {
			raw = append(raw, rawItem{place{line: line}, l})
		}
	}
	return raw, nil
}

func splitArray(text []byte) ([]rawItem, error) {
	lineAt := lineCounter(text)
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, new(json.RawMessage)); errors.As(err, &syntax) {
		return nil, fmt.Errorf("line %d: the JSON array is broken: %w", lineAt(syntax.Offset), err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	_, err := decoder.Token()
	var raw []rawItem
	for err == nil && decoder.More() {
		var element json.RawMessage
		if err = decoder.Decode(&element); err == nil {
			raw = append(raw, rawItem{
				place{lineAt(decoder.InputOffset() - int64(len(element))), len(raw) + 1}, element,
			})
		}
	}
	return raw, err
}

// lineCounter returns a function that converts growing offsets to line numbers without counting
// from the start each time.
func lineCounter(text []byte) func(offset int64) int {
	line, done := 1, int64(0)
	return func(offset int64) int {
		line += bytes.Count(text[done:max(done, offset)], []byte("\n"))
		done = max(done, offset)
		return line
	}
}

// parseItem parses one message strictly and returns all its faults.
func parseItem(text []byte) (sininho.PublishInput, []string) {
	var in sininho.PublishInput
	if fault := textFault(text); fault != "" {
		return in, []string{fault}
	}
	if faults := timeFaults(text); len(faults) > 0 {
		return in, faults
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		return in, []string{jsonFault(err)}
	}
	var input *sininho.InputError
	if err := in.Validate(); errors.As(err, &input) {
		var faults []string
		for _, f := range input.Fields {
			faults = append(faults, f.Name()+": "+f.Detail)
		}
		return in, faults
	}
	return in, nil
}

// textFault returns the fault of the text itself, or "". It refuses invalid characters, because encoding/json would
// publish U+FFFD instead.
func textFault(text []byte) string {
	if !utf8.Valid(text) {
		return "is not valid UTF-8; save the file in that encoding"
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return fmt.Sprintf("is not a JSON object: %v", err)
	}
	if at := rules.LoneSurrogate(text); at >= 0 {
		return string(text[at:at+len(`\uXXXX`)]) + " is half of a character; write it with its other half, or as itself"
	}
	return ""
}

// timeFaults checks the times separately, because encoding/json does not say which of them is invalid.
func timeFaults(text []byte) []string {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return nil
	}
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		isTime := strings.EqualFold(name, "scheduledAt") || strings.EqualFold(name, "expiresAt")
		if isTime && json.Unmarshal(members[name], new(time.Time)) != nil {
			faults = append(faults,
				fmt.Sprintf("%s: must be a time such as \"2026-03-01T12:00:00Z\", not %s", name, members[name]))
		}
	}
	return faults
}

var messageMembers = []string{
	"title", "body", "link", "image", "icon", "importance", "data", "externalId", "scheduledAt", "expiresAt",
}

func jsonFault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return "is not a JSON object but a " + kind.Value
		}
		wanted := "a " + kind.Type.String()
		if kind.Type.Kind() == reflect.Map {
			wanted = "an object of strings"
		}
		return fmt.Sprintf("%s: must be %s, not a %s", kind.Field, wanted, kind.Value)
	}
	if _, name, found := strings.Cut(err.Error(), "unknown field "); found {
		name = strings.Trim(name, `"`)
		return fmt.Sprintf("there is no member %q%s", name, suggestion(name, messageMembers))
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// setKeys gives each message an idempotency key derived from its content and, among equal messages, its
// number: running the file again, corrected or extended, publishes nothing twice. With a different salt, the
// user's --idempotency-key, all messages are published again. A message with an externalId needs no key.
func setKeys(items []item, channel, salt string) {
	seen := map[string]int{}
	for i := range items {
		if items[i].in.ExternalID != "" {
			continue
		}
		text, _ := json.Marshal(items[i].in)
		seen[string(text)]++
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %d ", channel, salt, seen[string(text)])
		h.Write(text)
		items[i].key = "sininho-file-" + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
	}
}

func (i item) options() []sininho.CallOption {
	if i.key == "" {
		return nil
	}
	return []sininho.CallOption{sininho.WithIdempotencyKey(i.key)}
}

func (b *batch) send(ctx context.Context, i item) (*sininho.PublishResult, error) {
	return b.client.Notifications.Publish(ctx, b.channel, i.in, i.options()...)
}
