package fcm

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// Sent is an accepted message.
type Sent struct {
	// Seq counts from 1 in the order of acceptance, and is not reset when the record is cleared.
	Seq  int64     `json:"seq"`
	At   time.Time `json:"at"`
	Name string    `json:"name"`
	// Token is the recipient: a token, or an installation id.
	Token string `json:"token"`
	// Message is the whole message as received, including the recipient, as compact JSON.
	Message json.RawMessage `json:"message"`
	// Trace is the traceparent header.
	Trace string `json:"trace,omitempty"`
}

// record is the compact form of a Sent, which is only built when it is read.
type record struct {
	template *template
	token    string
	id       uint64
	at       int64 // nanoseconds since 1970
	trace    string
}

// chunkSize is the number of records that are allocated and dropped together.
const chunkSize = 4096

// sentLog is the record of accepted messages. Its lock is held only briefly, because records are never moved.
type sentLog struct {
	keep int

	mu     sync.Mutex
	chunks [][]record // all but the last are full
	first  int64      // the seq before the first record of the first chunk
	last   int64      // the seq of the last record
	grown  chan struct{}
}

func (l *sentLog) add(t *template, token string, id uint64, trace string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.chunks)
	if n == 0 || len(l.chunks[n-1]) == chunkSize {
		l.chunks = append(l.chunks, make([]record, 0, chunkSize))
		n++
	}
	l.chunks[n-1] = append(l.chunks[n-1], record{t, token, id, time.Now().UnixNano(), trace})
	l.last++
	if l.last-l.first-chunkSize >= int64(l.keep) {
		l.chunks[0] = nil
		l.chunks, l.first = l.chunks[1:], l.first+chunkSize
	}
	if l.grown != nil {
		close(l.grown)
		l.grown = nil
	}
}

func (l *sentLog) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chunks, l.first = nil, l.last
}

// after returns the records after a seq in slices that must not be changed, the seq before the first of them, and a
// channel that is closed when more are added.
func (l *sentLog) after(seq int64) (pieces [][]record, before int64, grown <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.grown == nil {
		l.grown = make(chan struct{})
	}
	before = min(max(seq, l.first), l.last)
	skip := before - l.first
	for i := int(skip / chunkSize); i < len(l.chunks); i++ {
		piece := l.chunks[i]
		pieces = append(pieces, piece[:len(piece):len(piece)])
	}
	if len(pieces) > 0 {
		pieces[0] = pieces[0][skip%chunkSize:]
	}
	return pieces, before, l.grown
}

// each calls f for every record after a seq, for one token or for all, until f returns false. It waits until there is
// at least one, or until the context ends.
func (s *Server) each(ctx context.Context, since int64, token string, f func(Sent) bool) {
	for {
		pieces, seq, grown := s.sent.after(since)
		found := false
		for _, piece := range pieces {
			for i := range piece {
				seq++
				if token != "" && piece[i].token != token {
					continue
				}
				found = true
				if !f(s.sentOf(seq, &piece[i])) {
					return
				}
			}
		}
		if found {
			return
		}
		since = seq
		select {
		case <-grown:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) sentOf(seq int64, r *record) Sent {
	return Sent{
		Seq:     seq,
		At:      time.Unix(0, r.at).UTC(),
		Name:    s.messageName(s.messageID(r.id)),
		Token:   r.token,
		Message: r.template.message(r.token),
		Trace:   r.trace,
	}
}

// Sent returns the messages accepted after a seq (0 is the beginning), for one token or, if that is empty, for all.
func (s *Server) Sent(since int64, token string) []Sent {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	return s.WaitSent(over, since, token)
}

// WaitSent is like Sent, but waits until there is at least one message, or until the context ends.
func (s *Server) WaitSent(ctx context.Context, since int64, token string) []Sent {
	var all []Sent
	s.each(ctx, since, token, func(m Sent) bool {
		all = append(all, m)
		return true
	})
	return all
}
