package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// DevicesService lists, registers, renames, tests and removes the signed-in person's devices
// (API: /subscribers/devices). It needs their access token.
type DevicesService struct{ api *api.Client }

// Device is a browser or phone to which notifications are pushed.
type Device struct {
	ID             string `json:"id"`
	InstallationID string `json:"installationId"`
	// Kind is what takes pushes for the device: fcm (or token, its earlier name) or webpush.
	Kind string `json:"kind"`
	// Platform is web, android or ios.
	Platform string `json:"platform"`
	Name     string `json:"name"`
	// Current reports whether this is the device that makes the call.
	Current    bool      `json:"current"`
	CreatedAt  time.Time `json:"createdAt"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	// RingsSince is when the device's present address first accepted a push, and zero until then. A
	// device that stays silent for a day is removed.
	RingsSince time.Time `json:"ringsSince,omitzero"`
	// ShownAt is when the device said last, to a day, that it displayed a push, and zero if it never has.
	ShownAt time.Time `json:"shownAt,omitzero"`
	// UnshownSince is since when pushes are accepted for the device of which it displays none. It is zero unless the
	// device has displayed nothing for two days.
	UnshownSince time.Time `json:"unshownSince,omitzero"`
	// RetiredAt is set only in an export, which includes retired devices, to which nothing is pushed.
	RetiredAt time.Time `json:"retiredAt,omitzero"`
}

// DeviceInput describes a device to register, which has either an Address, or an Endpoint and Keys.
type DeviceInput struct {
	// InstallationID is an id that the device created once and keeps: 8 to 64 letters, digits, full
	// stops, hyphens and underscores.
	InstallationID string
	// Address is the device's Firebase installation id, or its registration token of an older Firebase SDK.
	Address string
	// Endpoint is the address of a push subscription, of a browser or of a UnifiedPush distributor.
	Endpoint string
	// Keys are those of the push subscription.
	Keys DeviceKeys
	// Platform is web, android or ios.
	Platform string
	// Name, of 1 to 100 characters, identifies the device to its owner.
	Name string
}

// DeviceKeys are the keys of a push subscription, in base64url (RFC 8291).
type DeviceKeys struct {
	// P256dh is the public key, of 65 bytes.
	P256dh string
	// Auth is the authentication secret, of 16 bytes.
	Auth string
}

// DeviceTest is the result of a test push.
type DeviceTest struct {
	// Outcome is accepted or failed.
	Outcome DeviceOutcome `json:"outcome"`
	// Cause says why the push failed, for example unregistered.
	Cause string `json:"cause,omitzero"`
}

// DeviceOutcome is the outcome of a test push.
type DeviceOutcome string

// A push is accepted if the push service took it.
const (
	DeviceAccepted DeviceOutcome = "accepted"
	DeviceFailed   DeviceOutcome = "failed"
)

// List iterates over the devices, most recently seen first. The iteration ends at the first error.
func (s *DevicesService) List(ctx context.Context) iter.Seq2[Device, error] {
	return listed(func(d Device) string { return d.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListDevices(ctx, &api.ListDevicesParams{Limit: limit, Offset: offset})
	})
}

// Register registers a device for push, or refreshes where the device with this installation id is
// pushed to, and returns it. If the address or endpoint was registered for another person, it is removed
// there. An installation may take only one of the kinds of devices; it refuses the other with 422. Each
// new address is soon sent one push, which tells the person that the device rings.
func (s *DevicesService) Register(ctx context.Context, in DeviceInput) (*Device, error) {
	var f faults
	f.texts(map[string]*string{
		"installationId": &in.InstallationID, "address": &in.Address, "endpoint": &in.Endpoint,
		"platform": &in.Platform, "name": &in.Name,
	})
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[Device](s.api.RegisterDevice(ctx, in.toAPI()))
}

func (in DeviceInput) toAPI() api.DeviceInput {
	out := api.DeviceInput{InstallationID: in.InstallationID, Kind: api.DeviceKindFcm,
		Platform: api.Platform(in.Platform), Name: in.Name}
	if in.Address != "" {
		out.Address = &in.Address
	}
	if in.Endpoint != "" || in.Keys != (DeviceKeys{}) {
		out.Kind = api.DeviceKindWebpush
		out.Endpoint, out.Keys = &in.Endpoint, &api.DeviceKeys{P256Dh: in.Keys.P256dh, Auth: in.Keys.Auth}
	}
	return out
}

// Rename sets a device's name, of 1 to 100 characters, and returns the device.
func (s *DevicesService) Rename(ctx context.Context, id, name string) (*Device, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	var f faults
	f.text("name", name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[Device](s.api.RenameDevice(ctx, parsed, api.DevicePatch{Name: name}))
}

// Remove stops pushing to a device. Removing it again changes nothing.
func (s *DevicesService) Remove(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.RemoveDevice(ctx, parsed))
}

// Test sends one test push at once and returns how the push service responded.
func (s *DevicesService) Test(ctx context.Context, id string) (*DeviceTest, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[DeviceTest](s.api.TestDevice(ctx, parsed))
}
