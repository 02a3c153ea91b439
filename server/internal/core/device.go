package core

import (
	"context"
	"time"
)

// Device is a browser or phone that can receive pushes.
type Device struct {
	ID             ID
	SubscriberID   ID
	InstallationID string
	Kind           string
	Address        string
	Platform       string
	Name           string
	CreatedAt      time.Time
	SeenAt         time.Time
	RetiredAt      *time.Time
}

// DeviceInput is the input for registering a device.
type DeviceInput struct {
	InstallationID, Kind, Address, Platform, Name string
}

// Validate reports every fault of the input.
func (in DeviceInput) Validate() error {
	var f faults
	f.name("#/name", in.Name)
	return f.err()
}

// DeviceStale is how long a device may be unseen before pushes to it stop.
const DeviceStale = 60 * 24 * time.Hour

// The causes for which a device is retired.
const (
	RetiredUnregistered = "unregistered"
	RetiredMoved        = "moved" // another registration took over its address or installation
	RetiredSignedOut    = "signed_out"
	RetiredRemoved      = "removed"
	RetiredStale        = "stale"
)

// DeviceStore keeps devices.
type DeviceStore interface {
	// RegisterDevice creates or refreshes the device of a session, or of no session if sessionID is zero. It retires
	// any other device with the same address or installation.
	RegisterDevice(ctx context.Context, subscriberID, sessionID ID, in DeviceInput, now time.Time) (Device, Creation, error)
	Devices(ctx context.Context, subscriberID ID, page Page) (data []Device, total int64, err error)
	Device(ctx context.Context, subscriberID, id ID) (Device, error)
	RenameDevice(ctx context.Context, subscriberID, id ID, name string) (Device, error)
	// RetireDevice stops pushes to a device; retiring it again changes nothing. It fails with CodeNotFound when the
	// subscriber never had the device.
	RetireDevice(ctx context.Context, subscriberID, id ID, cause string, now time.Time) error
	// RetireAddress stops pushes to the device with the address, if there is one.
	RetireAddress(ctx context.Context, address, cause string, now time.Time) error
}

// Pacer knows when the push service wants no pushes.
type Pacer interface {
	// Paused returns how long and why no pushes may be sent to anyone; d is zero when they may.
	Paused(ctx context.Context) (d time.Duration, cause string, err error)
}

// Devices registers, renames, removes and tests devices.
type Devices struct {
	Store  DeviceStore
	Sender PushSender
	Pacer  Pacer
	Now    func() time.Time
}

// Register creates or refreshes a device. The device of a session is bound to it and retired when it ends.
func (d *Devices) Register(ctx context.Context, c Caller, in DeviceInput) (Device, Creation, error) {
	if err := in.Validate(); err != nil {
		return Device{}, 0, err
	}
	return d.Store.RegisterDevice(ctx, c.SubscriberID, c.SessionID, in, d.Now())
}

// Rename changes the name of a device.
func (d *Devices) Rename(ctx context.Context, c Caller, id ID, name string) (Device, error) {
	if err := (DeviceInput{Name: name}).Validate(); err != nil {
		return Device{}, err
	}
	return d.Store.RenameDevice(ctx, c.SubscriberID, id, name)
}

// Remove stops pushes to a device.
func (d *Devices) Remove(ctx context.Context, c Caller, id ID) error {
	return d.Store.RetireDevice(ctx, c.SubscriberID, id, RetiredRemoved, d.Now())
}

// Test immediately sends one push to a device and returns the result. It sends nothing while pushes are paused.
func (d *Devices) Test(ctx context.Context, c Caller, id ID) (Result, error) {
	device, err := d.Store.Device(ctx, c.SubscriberID, id)
	if err != nil {
		return Result{}, err
	}
	paused, cause, err := d.Pacer.Paused(ctx)
	if err != nil || paused > 0 {
		return Result{Cause: cause, Wait: paused}, err
	}
	r := d.Sender.Send(ctx, testPush(), device.Address)
	if r.Retire {
		err = d.Store.RetireAddress(ctx, device.Address, RetiredUnregistered, d.Now())
	}
	return r, err
}

func testPush() Push {
	id := NewID().String()
	return Push{ID: id, Title: "Sininho", Body: "As notificações chegam a este dispositivo.", Expires: time.Now().Add(time.Hour)}
}
