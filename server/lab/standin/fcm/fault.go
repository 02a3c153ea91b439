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

// Fault makes messages:send fail. Of the faults that match a message's token and are not used up, the first is applied.
type Fault struct {
	// Token limits the fault to one token, and Share to a part of all tokens, above 0 and up to 1. A hash of the token
	// decides whether it belongs to a share, so the same tokens do each time, even after a restart. Without either the
	// fault applies to all tokens.
	Token string  `json:"token,omitempty"`
	Share float64 `json:"share,omitempty"`
	// Error is the name of an error: an FCM error code, INVALID_TOKEN, UNAUTHENTICATED or RATE_LIMIT_EXCEEDED.
	Error string `json:"error,omitempty"`
	// RetryAfter is the Retry-After header of the response: seconds, or an HTTP date.
	RetryAfter string `json:"retryAfter,omitempty"`
	// Delay is a wait before anything else, in Go's format: "50ms".
	Delay string `json:"delay,omitempty"`
	// Cut ends the request without a response, "before" or "after" the message was accepted. In HTTP/1.1 it cuts the
	// connection, in HTTP/2 only the stream.
	Cut string `json:"cut,omitempty"`
	// Hang never responds. The request ends when the client gives up.
	Hang bool `json:"hang,omitempty"`
	// Times is how often the fault happens to each token. Zero is unlimited.
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

// fault is a validated Fault that is ready to be applied.
type fault struct {
	Fault
	response *response // the response, if the fault has an error
	delay    time.Duration

	mu    sync.Mutex
	times map[string]int // how often the fault has happened to each token, if that is limited
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
	if f.response = errorForms[f.Error]; f.response == nil {
		return fmt.Errorf("unknown error %q; known are %s", f.Error,
			strings.Join(slices.Sorted(maps.Keys(errorForms)), ", "))
	}
	return nil
}

// readRetryAfter adds the header to the response.
func (f *fault) readRetryAfter() error {
	if f.RetryAfter == "" {
		return nil
	}
	if f.Error == "" {
		return errors.New("retryAfter needs an error to go with")
	}
	seconds, err := strconv.Atoi(f.RetryAfter)
	if _, noDate := http.ParseTime(f.RetryAfter); noDate != nil && (err != nil || seconds < 0) {
		return fmt.Errorf("retryAfter is %q, but must be seconds as in \"30\" or an HTTP date as in %q",
			f.RetryAfter, http.TimeFormat)
	}
	if f.response != nil {
		a := *f.response
		a.header = map[string]string{"Retry-After": f.RetryAfter}
		maps.Copy(a.header, f.response.header)
		f.response = &a
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

// checkEffect checks that the fault has exactly one effect, or at least a delay.
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

// place maps a token to a fixed number, at least 0 and below 1.
func place(token string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(token))
	x := h.Sum64() // FNV leaves the high bits of similar texts similar; the steps below mix them
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / math.Exp2(53)
}

// faults are the programmed faults. Without any, reading them costs one atomic load.
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

// AddFaults appends faults to the list, or none of them if one is invalid.
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

// ClearFaults removes all faults.
func (s *Server) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list.Store(nil)
}
