package webpush

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

const (
	quotaWait = time.Minute // unless the push service asks for another wait
	mostWait  = time.Hour
)

// errAddress reports that an endpoint is not at a public address.
var errAddress = errors.New("the endpoint is not at a public address")

// maxReason is how much of an error response is logged.
const maxReason = 300

// outcome turns the response of a push service into a result, by the table in README.md. It concerns the device alone:
// whether others at the push service fail alike is known to the caller.
func outcome(res *http.Response, service string, now time.Time) core.Result {
	status := res.StatusCode
	if status >= 200 && status < 300 {
		return core.Result{Outcome: core.Accepted}
	}
	reason, _ := io.ReadAll(io.LimitReader(res.Body, maxReason))
	err := fmt.Errorf("%s responded with %d: %s", service, status, strings.ToValidUTF8(string(reason), "\uFFFD"))
	wait := min(rules.RetryAfter(res.Header.Get("Retry-After"), now), mostWait)
	switch status {
	case http.StatusNotFound, http.StatusGone:
		return core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true, Err: err}
	case http.StatusUnauthorized, http.StatusForbidden:
		return core.Result{Cause: core.CauseCredentials, Refused: true, Wait: wait, Err: err}
	case http.StatusTooManyRequests:
		if wait == 0 {
			wait = quotaWait
		}
		return core.Result{Cause: core.CauseQuota, Wait: wait, Err: err}
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return core.Result{Cause: core.CauseUnavailable, Wait: wait, Err: err}
	case http.StatusRequestEntityTooLarge: // the message is at fault
		return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	if status >= 500 {
		return core.Result{Cause: core.CauseUnavailable, Wait: wait, Err: err}
	}
	return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Refused: true, Err: err}
}

// lost returns the result of a push without a response. An endpoint inside is treated as one that does not exist.
func lost(err error) core.Result {
	if errors.Is(err, errAddress) {
		return core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true, Err: err}
	}
	if again, ok := asBusy(err); ok {
		return core.Result{Cause: core.CauseQuota, Later: again}
	}
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err // without the endpoint, which is secret
	}
	return core.Result{Cause: core.CauseUnavailable, Err: err}
}
