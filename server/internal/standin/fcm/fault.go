package fcm

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Fault makes messages:send go wrong. Of the faults whose tokens and times fit a message, the first is applied.
type Fault struct {
	// Token is the one token it is for, and Share the part of all tokens, above 0 and up to 1. Which tokens belong to a
	// share follows from a hash of the token: they are the same each time, also after a restart. Neither is all tokens.
	Token string  `json:"token,omitempty"`
	Share float64 `json:"share,omitempty"`
	// Error is the name of an error: an FCM error code, INVALID_TOKEN, UNAUTHENTICATED or RATE_LIMIT_EXCEEDED.
	Error string `json:"error,omitempty"`
	// RetryAfter is a Retry-After header to answer with: seconds, or an HTTP date.
	RetryAfter string `json:"retryAfter,omitempty"`
	// Delay is how long to wait before anything else, as Go writes durations: "50ms".
	Delay string `json:"delay,omitempty"`
	// Cut ends the request without an answer, "before" or "after" the message was accepted. By HTTP/1.1 that cuts the
	// connection, by HTTP/2 only the stream.
	Cut string `json:"cut,omitempty"`
	// Hang never answers, until the client gives up.
	Hang bool `json:"hang,omitempty"`
	// Times is how often it happens to each token; then the token is well again. Zero is always.
	Times int `json:"times,omitempty"`
}

const (
	cutBefore = "before"
	cutAfter  = "after"
)

// Validate reports everything that is wrong with the fault.
func (f Fault) Validate() error {
	_, err := f.program()
	return err
}

// fault is a Fault made ready.
type fault struct {
	Fault
	answer *answer // of the error, if there is one
	delay  time.Duration

	mu    sync.Mutex
	times map[string]int // how often it happened to a token, if that is limited
}

func (f Fault) program() (*fault, error) {
	p := &fault{Fault: f}
	err := errors.Join(f.checkTokens(), p.readError(), p.readRetryAfter(), p.readDelay(), f.checkEffect())
	return p, err
}

func (f Fault) checkTokens() error {
	var problems []error
	if f.Token != "" && f.Share != 0 {
		problems = append(problems, errors.New("a fault has a token or a share, not both"))
	}
	if f.Share < 0 || f.Share > 1 {
		problems = append(problems, fmt.Errorf("share is %v, but must be above 0 and up to 1", f.Share))
	}
	if f.Times < 0 {
		problems = append(problems, fmt.Errorf("times is %d, but cannot be negative", f.Times))
	}
	return errors.Join(problems...)
}

func (f *fault) readError() error {
	if f.Error == "" {
		return nil
	}
	if f.answer = errorForms[f.Error]; f.answer == nil {
		return fmt.Errorf("unknown error %q; known are %s", f.Error, strings.Join(slices.Sorted(maps.Keys(errorForms)), ", "))
	}
	return nil
}

// readRetryAfter adds the header to the answer.
func (f *fault) readRetryAfter() error {
	if f.RetryAfter == "" {
		return nil
	}
	if f.Error == "" {
		return errors.New("retryAfter needs an error to go with")
	}
	seconds, err := strconv.Atoi(f.RetryAfter)
	if _, noDate := http.ParseTime(f.RetryAfter); noDate != nil && (err != nil || seconds < 0) {
		return fmt.Errorf("retryAfter is %q, but must be seconds as in \"30\" or an HTTP date as in %q", f.RetryAfter, http.TimeFormat)
	}
	if f.answer != nil {
		a := *f.answer
		a.header = map[string]string{"Retry-After": f.RetryAfter}
		maps.Copy(a.header, f.answer.header)
		f.answer = &a
	}
	return nil
}

func (f *fault) readDelay() (err error) {
	if f.Delay == "" {
		return nil
	}
	if f.delay, err = time.ParseDuration(f.Delay); err != nil || f.delay < 0 {
		return fmt.Errorf("delay is %q, but must be a duration as in \"50ms\"", f.Delay)
	}
	return nil
}

// checkEffect checks that the fault does something, and one thing only.
func (f Fault) checkEffect() error {
	var problems []error
	if f.Cut != "" && f.Cut != cutBefore && f.Cut != cutAfter {
		problems = append(problems, fmt.Errorf("cut is %q, but must be \"before\" or \"after\"", f.Cut))
	}
	effects := 0
	for _, set := range []bool{f.Error != "", f.Cut != "", f.Hang} {
		if set {
			effects++
		}
	}
	if effects > 1 {
		problems = append(problems, errors.New("a fault has one of error, cut and hang"))
	}
	if effects == 0 && f.Delay == "" {
		problems = append(problems, errors.New("a fault needs an error, a cut, a hang or a delay"))
	}
	return errors.Join(problems...)
}

func (f *fault) fits(token string) bool {
	switch {
	case f.Token != "" && f.Token != token, f.Share != 0 && place(token) >= f.Share:
		return false
	case f.Times == 0:
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.times == nil {
		f.times = map[string]int{}
	}
	if f.times[token] >= f.Times {
		return false
	}
	f.times[token]++
	return true
}

// place is where a token stands between 0 and 1, always the same.
func place(token string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(token))
	x := h.Sum64() // FNV leaves the high bits of similar texts similar; the rest mixes them
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / math.Exp2(53)
}

// faults are those that are programmed. Reading them costs one load while there are none.
type faults struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*fault]
}

func (fs *faults) all() []*fault {
	if list := fs.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (fs *faults) find(token string) *fault {
	for _, f := range fs.all() {
		if f.fits(token) {
			return f
		}
	}
	return nil
}

// AddFaults programs faults, behind those that there are, or none of them if one is wrong.
func (s *Server) AddFaults(add ...Fault) error {
	var ready []*fault
	var problems []error
	for i, f := range add {
		p, err := f.program()
		if err != nil {
			problems = append(problems, fmt.Errorf("fault %d: %w", i+1, err))
		}
		ready = append(ready, p)
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	list := slices.Concat(s.faults.all(), ready)
	s.faults.list.Store(&list)
	return nil
}

// ClearFaults makes everything well.
func (s *Server) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list.Store(nil)
}
