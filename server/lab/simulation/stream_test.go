package simulation

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// stream reads a stream, and resumes it at another node whenever it ends.
type stream struct {
	r        *run
	name     string
	draw     streamDraw
	cookie   string
	last     string // id
	position atomic.Int64

	mu  sync.Mutex
	cut context.CancelFunc // of the connection
}

func (r *run) stream(name string, d streamDraw) *stream {
	s := &stream{r: r, name: name, draw: d}
	if d.Person >= 0 {
		s.cookie = r.session(person(d.Person))
	}
	if d.Replay {
		s.last = "0"
	}
	return s
}

// reconnect ends the connection, so that the stream is resumed.
func (s *stream) reconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cut != nil {
		s.cut()
	}
}

// read reads until the context ends.
func (s *stream) read(ctx context.Context) {
	for node := s.draw.Node; ctx.Err() == nil; node++ {
		connection, cut := context.WithCancel(ctx)
		s.mu.Lock()
		s.cut = cut
		s.mu.Unlock()
		s.connect(connection, node%nodeCount)
		cut()
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *stream) note(kind string, node int, v history.Value, id string) {
	e := history.Event{Process: s.name, Type: history.Note, Kind: kind, Node: nodeName(node), ID: id, Value: v}
	if s.draw.Person >= 0 {
		e.Person = person(s.draw.Person)
	} else {
		e.Channel = channel(s.draw.Channel)
	}
	s.r.history.Add(e)
}

// connect reads one connection until it ends.
func (s *stream) connect(ctx context.Context, node int) {
	path := "/subscribers/notifications/stream"
	if s.draw.Person < 0 {
		path = "/channels/demo/" + channel(s.draw.Channel) + "/notifications/stream"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.r.url(node)+path, nil)
	if err != nil {
		panic(err) // its parts are ours
	}
	if s.cookie != "" {
		req.Header.Set("Cookie", s.cookie)
	}
	if s.last != "" {
		req.Header.Set("Last-Event-ID", s.last)
	}
	s.note(history.Connect, node, history.Value{Key: s.last}, "")
	status := 0
	defer func() { s.note(history.Cut, node, history.Value{Status: status}, "") }()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	if status = res.StatusCode; status == http.StatusOK {
		s.blocks(bufio.NewReader(res.Body), node)
	}
}

// blocks reads the blocks of a stream. One that is cut does not count.
func (s *stream) blocks(in *bufio.Reader, node int) {
	first, fields := true, map[string]string{}
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			name, value, _ := strings.Cut(line, ": ")
			fields[name] = value
			continue
		}
		if id := fields["id"]; id != "" {
			s.last = id
			s.block(fields, first, node)
			first = false
		}
		clear(fields)
	}
}

// block records a block with an id.
func (s *stream) block(fields map[string]string, first bool, node int) {
	position, err := strconv.ParseInt(fields["id"], 10, 64)
	if err != nil {
		s.r.t.Errorf("%s: got the id %q, want a number", s.name, fields["id"])
	}
	if first {
		s.note(history.Hello, node, history.Value{Position: position}, "")
	}
	if fields["event"] != "" {
		var n struct{ ID, Title string }
		if err := json.Unmarshal([]byte(fields["data"]), &n); err != nil {
			s.r.t.Errorf("%s: got the data %q, want JSON: %v", s.name, fields["data"], err)
		}
		s.note(history.Message, node, history.Value{Position: position, Event: fields["event"], Title: n.Title}, n.ID)
	}
	s.position.Store(position)
}

// reaches reports whether a stream has come to a position.
func (s *stream) reaches(position int64) bool { return s.position.Load() >= position }

// cutBy cuts the stream when its draw says so.
func (s *stream) cutBy(ctx context.Context) {
	began := time.Now()
	for _, at := range s.draw.Cuts {
		select {
		case <-ctx.Done():
			return
		case <-time.After(at - time.Since(began)):
			s.reconnect()
		}
	}
}
