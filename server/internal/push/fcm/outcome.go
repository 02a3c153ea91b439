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

	"github.com/sininho/sininho/server/internal/core"
)

const (
	quotaPause      = time.Minute // unless FCM asks for another
	credentialPause = 30 * time.Second
)

// classify turns FCM's answer into a result: the table in README.md. It must see the SDK's error itself, because the
// SDK's predicates fail on wrapped ones.
func classify(err error) core.Result {
	r := judge(err)
	if res := errorutils.HTTPResponse(err); res != nil { //nolint:bodyclose // the SDK read and closed it
		if cause := res.Header.Get(causeHeader); cause != "" { // there was no answer: say why in the log
			r.Err = fmt.Errorf("%w: %s", err, cause)
		}
	}
	return r
}

func judge(err error) core.Result {
	if err == nil {
		return core.Result{Outcome: core.Accepted}
	}
	res := errorutils.HTTPResponse(err) //nolint:bodyclose // the SDK read and closed it
	if res == nil {                     // not sent, or not answered in time
		return core.Result{Cause: core.CauseUnavailable, Err: err}
	}
	wait := asked(res.Header.Get(realRetryAfter), time.Now())
	switch {
	case messaging.IsUnregistered(err):
		return gone(core.CauseUnregistered, err)
	case messaging.IsSenderIDMismatch(err):
		return gone(core.CauseSenderMismatch, err)
	case res.StatusCode == http.StatusBadRequest:
		r := core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
		r.Retire = read(res.Body).aboutToken()
		return r
	case res.StatusCode == http.StatusTooManyRequests:
		pause := asked(res.Header.Get(retryAfter), time.Now())
		if pause == 0 {
			pause = quotaPause
		}
		if read(res.Body).quotaOfDevice() {
			return core.Result{Cause: core.CauseQuota, Wait: pause, Err: err}
		}
		return core.Result{Cause: core.CauseQuota, Pause: pause, Err: err}
	case messaging.IsThirdPartyAuthError(err): // may be one device's, whose address was made with another key
		return core.Result{Cause: core.CauseCredentials, Wait: credentialPause, Err: err}
	case res.StatusCode >= http.StatusInternalServerError:
		if wait == 0 && res.StatusCode != http.StatusServiceUnavailable {
			wait = asked(res.Header.Get(retryAfter), time.Now())
		}
		return core.Result{Cause: core.CauseUnavailable, Wait: wait, Err: err}
	default: // 401, 403, 404 of the project: our credentials or settings, not the device
		return core.Result{Cause: core.CauseCredentials, Pause: credentialPause, Err: err}
	}
}

func gone(cause string, err error) core.Result {
	return core.Result{Outcome: core.Failed, Cause: cause, Retire: true, Err: err}
}

// answer is an error as FCM words it.
type answer struct {
	Error struct {
		Message string
		Details []struct {
			Type            string                                  `json:"@type"`
			FieldViolations []struct{ Field string }                // of a BadRequest
			Violations      []struct{ Subject, Description string } // of a QuotaFailure
		}
	}
}

// read answers nothing for what is not FCM's.
func read(body io.Reader) (a answer) {
	_ = json.NewDecoder(io.LimitReader(body, 64<<10)).Decode(&a)
	return a
}

// aboutToken reports whether a 400 is about the device's token; if not, the message is at fault, and that is ours.
func (a answer) aboutToken() bool {
	fcm, token := false, strings.Contains(strings.ToLower(a.Error.Message), "registration token")
	for _, d := range a.Error.Details {
		fcm = fcm || strings.HasSuffix(d.Type, "google.firebase.fcm.v1.FcmError")
		for _, v := range d.FieldViolations {
			token = token || v.Field == "message.token"
		}
	}
	return fcm && token
}

// quotaOfDevice reports whether a 429 is about what one device may be sent, and not about the project.
func (a answer) quotaOfDevice() bool {
	for _, d := range a.Error.Details {
		for _, v := range d.Violations {
			if strings.Contains(strings.ToLower(v.Subject+v.Description), "device") {
				return true
			}
		}
	}
	return false
}
