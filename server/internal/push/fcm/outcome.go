package fcm

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"firebase.google.com/go/v4/errorutils"
	"firebase.google.com/go/v4/messaging"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

const (
	quotaPause      = time.Minute // unless FCM asks for another pause
	credentialPause = 30 * time.Second
)

// classify turns FCM's response into a result, by the table in README.md. It needs the SDK's error itself, because the
// SDK's predicates fail on wrapped errors.
func classify(err error) core.Result {
	r := resultOf(err)
	if res := errorutils.HTTPResponse(err); res != nil { //nolint:bodyclose // the SDK read and closed it
		if cause := res.Header.Get(causeHeader); cause != "" { // no response was received: log the reason
			r.Err = fmt.Errorf("%w: %s", err, cause)
		}
	}
	return r
}

func resultOf(err error) core.Result {
	if err == nil {
		return core.Result{Outcome: core.Accepted}
	}
	res := errorutils.HTTPResponse(err) //nolint:bodyclose // the SDK read and closed it
	if res == nil {                     // not sent, or no response in time
		return core.Result{Cause: core.CauseUnavailable, Err: err}
	}
	wait := rules.RetryAfter(res.Header.Get(realRetryAfter), time.Now())
	switch {
	case messaging.IsUnregistered(err):
		return gone(core.CauseUnregistered, err)
	case messaging.IsSenderIDMismatch(err):
		return gone(core.CauseSenderMismatch, err)
	case res.StatusCode == http.StatusBadRequest:
		r := core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
		r.Retire = decodeError(res.Body).aboutAddress()
		return r
	case res.StatusCode == http.StatusTooManyRequests:
		pause := rules.RetryAfter(res.Header.Get(retryAfter), time.Now())
		if pause == 0 {
			pause = quotaPause
		}
		if decodeError(res.Body).quotaOfDevice() {
			return core.Result{Cause: core.CauseQuota, Wait: pause, Err: err}
		}
		return core.Result{Cause: core.CauseQuota, Pause: pause, Err: err}
	case messaging.IsThirdPartyAuthError(err): // may concern only one device, if it registered with another key
		return core.Result{Cause: core.CauseCredentials, Wait: credentialPause, Err: err}
	case res.StatusCode >= http.StatusInternalServerError:
		if wait == 0 && res.StatusCode != http.StatusServiceUnavailable {
			wait = rules.RetryAfter(res.Header.Get(retryAfter), time.Now())
		}
		return core.Result{Cause: core.CauseUnavailable, Wait: wait, Err: err}
	default: // 401, 403 or 404 for the project: wrong credentials or settings, not the device
		return core.Result{Cause: core.CauseCredentials, Pause: credentialPause, Err: err}
	}
}

func gone(cause string, err error) core.Result {
	return core.Result{Outcome: core.Failed, Cause: cause, Retire: true, Err: err}
}

// fcmError is the body of an FCM error.
type fcmError struct {
	Error struct {
		Message string
		Details []struct {
			Type            string                                  `json:"@type"`
			FieldViolations []struct{ Field string }                // in a BadRequest
			Violations      []struct{ Subject, Description string } // in a QuotaFailure
		}
	}
}

// decodeError decodes an FCM error. It returns the zero fcmError for any other body.
func decodeError(body io.Reader) (e fcmError) {
	_ = json.NewDecoder(io.LimitReader(body, 64<<10)).Decode(&e)
	return e
}

// aboutAddress reports whether a 400 is about the device's address: by its field or, where no field is named, by its
// text. Otherwise the message itself is invalid, which is a fault of Sininho, even if it mentions a token.
func (e fcmError) aboutAddress() bool {
	fcm, named, address := false, false, false
	for _, d := range e.Error.Details {
		fcm = fcm || strings.HasSuffix(d.Type, "google.firebase.fcm.v1.FcmError")
		for _, v := range d.FieldViolations {
			named, address = true, address || v.Field == "message.token" || v.Field == "message.fid"
		}
	}
	return fcm && (address || !named && strings.Contains(e.Error.Message, "not a valid FCM registration token"))
}

// quotaOfDevice reports whether a 429 is about the quota of one device rather than of the project.
func (e fcmError) quotaOfDevice() bool {
	for _, d := range e.Error.Details {
		for _, v := range d.Violations {
			if strings.Contains(strings.ToLower(v.Subject+v.Description), "device") {
				return true
			}
		}
	}
	return false
}
