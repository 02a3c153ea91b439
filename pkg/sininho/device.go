package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// DevicesService shows, registers and removes what of the signed-in person's is pushed
// (API: /subscribers/devices). It needs their access token.
type DevicesService struct{ api *api.Client }

// Device is a browser or phone that is pushed.
type Device struct {
	ID             string `json:"id"`
	InstallationID string `json:"installationId"`
	// Kind is what its address is: token.
	Kind string `json:"kind"`
	// Platform is web, android or ios.
	Platform string `json:"platform"`
	Name     string `json:"name"`
	// Current says whether it is the one that calls.
	Current    bool      `json:"current"`
	CreatedAt  time.Time `json:"createdAt"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	// RetiredAt is zero but in an export, which has those that are pushed no more too.
	RetiredAt time.Time `json:"retiredAt,omitzero"`
}

// DeviceInput is a device that registers itself.
type DeviceInput struct {
	// InstallationID was made once and is kept by the device: 8 to 64 letters, digits, full
	// stops, hyphens and underscores.
	InstallationID string
	// Address is the device's registration token of Firebase Cloud Messaging.
	Address string
	// Platform is web, android or ios.
	Platform string
	// Name, of 1 to 100 characters, is what the person tells it by.
	Name string
}

// DeviceTest is what the push service answered.
type DeviceTest struct {
	// Outcome is accepted or failed.
	Outcome DeviceOutcome `json:"outcome"`
	// Cause says why it failed, as unregistered.
	Cause string `json:"cause,omitzero"`
}

// DeviceOutcome is what became of a test push.
type DeviceOutcome string

// A push is accepted when the push service took it.
const (
	DeviceAccepted DeviceOutcome = "accepted"
	DeviceFailed   DeviceOutcome = "failed"
)

// List goes through the devices, the latest seen first. An error ends it.
func (s *DevicesService) List(ctx context.Context) iter.Seq2[Device, error] {
	return listed(func(d Device) string { return d.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListDevices(ctx, &api.ListDevicesParams{Limit: limit, Offset: offset})
	})
}

// Register registers a device for push, or refreshes the address of the one with this
// installation id, and returns it. An address that was another person's is theirs no more.
func (s *DevicesService) Register(ctx context.Context, in DeviceInput) (*Device, error) {
	var f faults
	f.texts(map[string]*string{"installationId": &in.InstallationID, "address": &in.Address, "platform": &in.Platform, "name": &in.Name})
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[Device](s.api.RegisterDevice(ctx, api.DeviceInput{
		InstallationID: in.InstallationID, Kind: api.DeviceKindToken, Address: in.Address, Platform: api.Platform(in.Platform), Name: in.Name,
	}))
}

// Rename gives a device another name, of 1 to 100 characters, and returns it.
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

// Remove ends pushing to a device. Doing it again changes nothing.
func (s *DevicesService) Remove(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.RemoveDevice(ctx, parsed))
}

// Test sends one test push at once and tells what the push service answered.
func (s *DevicesService) Test(ctx context.Context, id string) (*DeviceTest, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[DeviceTest](s.api.TestDevice(ctx, parsed))
}
