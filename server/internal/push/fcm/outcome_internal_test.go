package fcm

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestA400ThatOnlyMentionsATokenRetiresNoDevice: the message may be at fault, which is no reason to lose the device.
func TestA400ThatOnlyMentionsATokenRetiresNoDevice(t *testing.T) {
	t.Parallel()
	const (
		invalid = "The registration token is not a valid FCM registration token"
		fcm     = `{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"}`
	)
	field := func(name string) string {
		return `{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"` + name + `"}]}`
	}
	for _, c := range []struct {
		name, message string
		details       []string
		want          bool
	}{
		{"about the token", invalid, []string{fcm, field("message.token")}, true},
		{"about the installation", invalid, []string{fcm, field("message.fid")}, true},
		{"by its text alone", invalid, []string{fcm}, true},
		{"by its field alone", "Request contains an invalid argument.", []string{field("message.token"), fcm}, true},
		{"of a proxy", invalid, nil, false},
		{"of a proxy that names the field", invalid, []string{field("message.token")}, false},
		{"about another field", invalid, []string{fcm, field("message.data")}, false},
		{"that mentions a token", "Message with registration token is too big", []string{fcm}, false},
		{"about nothing", "", []string{fcm}, false},
	} {
		body := `{"error":{"code":400,"message":"` + c.message + `","details":[` + strings.Join(c.details, ",") + `]}}`
		check.Equal(t, "a 400 "+c.name+" is about the address", decodeError(strings.NewReader(body)).aboutAddress(), c.want)
	}
	check.Equal(t, "a body that is no JSON is about the address", decodeError(strings.NewReader(invalid)).aboutAddress(), false)
}

func TestQuotaOfDevice(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"error":{"details":[{"violations":[{"subject":"Device:x"}]}]}}`:                      true,
		`{"error":{"details":[{"violations":[{"subject":"x","description":"device rate"}]}]}}`: true,
		`{"error":{"details":[{"violations":[{"subject":"project:x"}]}]}}`:                     false,
		`{"error":{"message":"device"}}`:                                                       false,
	} {
		check.Equal(t, body+" is about one device", decodeError(strings.NewReader(body)).quotaOfDevice(), want)
	}
}

func TestUrgency(t *testing.T) {
	t.Parallel()
	at := time.Now()
	n := core.Notification{Importance: core.Important, PublishedAt: &at, EditedAt: &at, Visible: true}
	for name, c := range map[string]struct {
		push core.Push
		want string
	}{
		"an important notification": {core.NewPush(n), "high"},
		"its correction":            {core.NewRevision(n), "normal"},
		"another notification":      {core.Push{ID: "n"}, "normal"},
	} {
		check.Equal(t, "urgency of "+name, newMessage(c.push, at).Webpush.Headers["Urgency"], c.want)
	}
}
