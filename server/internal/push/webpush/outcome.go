package webpush

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push"
)

const (
	quotaPause       = time.Minute // unless the push service asks for another pause
	unavailablePause = 10 * time.Second
	credentialPause  = 30 * time.Second
	maxPause         = time.Hour
)

// errAddress reports that an endpoint is not at a public address.
var errAddress = errors.New("the endpoint is not at a public address")

// maxReason is how much of an error response is logged.
const maxReason = 300

// outcome turns the response of a push service into a result, by the table in README.md.
func (s *Sender) outcome(res *http.Response, service string, now time.Time) core.Result {
	status := res.StatusCode
	if status >= 200 && status < 300 {
		s.origins.accepted(service, now)
		return core.Result{Outcome: core.Accepted}
	}
	reason, _ := io.ReadAll(io.LimitReader(res.Body, maxReason))
	err := fmt.Errorf("%s responded with %d: %s", service, status, strings.ToValidUTF8(string(reason), "\uFFFD"))
	wait := min(push.RetryAfter(res.Header.Get("Retry-After"), now), maxPause)
	switch status {
	case http.StatusNotFound, http.StatusGone:
		return core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true, Err: err}
	case http.StatusUnauthorized, http.StatusForbidden:
		return s.refused(service, now, err)
	case http.StatusTooManyRequests:
		return core.Result{Cause: core.CauseQuota, Pause: orElse(wait, quotaPause), Err: err}
	case http.StatusServiceUnavailable:
		return core.Result{Cause: core.CauseUnavailable, Pause: orElse(wait, unavailablePause), Err: err}
	}
	if status >= 500 {
		return core.Result{Cause: core.CauseUnavailable, Wait: wait, Err: err}
	}
	return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
}

// refused returns the result of a push whose key was refused.
func (s *Sender) refused(service string, now time.Time, err error) core.Result {
	switch s.origins.refused(service, now) {
	case faultOfDevice:
		return core.Result{Outcome: core.Failed, Cause: core.CauseSenderMismatch, Retire: true, Err: err}
	case faultUnclear:
		return core.Result{Cause: core.CauseCredentials, Wait: credentialPause, Err: err}
	default:
		return core.Result{Cause: core.CauseCredentials, Pause: credentialPause, Err: err}
	}
}

func orElse(d, other time.Duration) time.Duration {
	if d == 0 {
		return other
	}
	return d
}

// lost returns the result of a push without a response. An endpoint inside is treated as one that does not exist.
func lost(err error) core.Result {
	if errors.Is(err, errAddress) {
		return core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true, Err: err}
	}
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err // without the endpoint, which is secret
	}
	return core.Result{Cause: core.CauseUnavailable, Err: err}
}
