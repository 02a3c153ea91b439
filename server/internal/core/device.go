package core

import (
	"context"
	"time"
)

// Device is one browser or phone that can be pushed.
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

// DeviceInput registers a device.
type DeviceInput struct {
	InstallationID, Kind, Address, Platform, Name string
}

// Validate reports every fault of the input.
func (in DeviceInput) Validate() error {
	var f faults
	f.name("#/name", in.Name)
	return f.err()
}

// DeviceStale is how long a device may be unseen before it is pushed no more.
const DeviceStale = 60 * 24 * time.Hour

// Why a device is retired.
const (
	RetiredUnregistered = "unregistered"
	RetiredMoved        = "moved" // its address or installation became another's
	RetiredSignedOut    = "signed_out"
	RetiredRemoved      = "removed"
	RetiredStale        = "stale"
)

// DeviceStore keeps devices.
type DeviceStore interface {
	// RegisterDevice makes or refreshes the device of a session, or of no session when its id is zero. What another person
	// had under the same address or installation is retired.
	RegisterDevice(ctx context.Context, subscriberID, sessionID ID, in DeviceInput, now time.Time) (Device, Creation, error)
	Devices(ctx context.Context, subscriberID ID, page Page) (data []Device, total int64, err error)
	Device(ctx context.Context, subscriberID, id ID) (Device, error)
	RenameDevice(ctx context.Context, subscriberID, id ID, name string) (Device, error)
	// RetireDevice stops pushing to a device; retiring twice changes nothing. CodeNotFound when it never was the subscriber's.
	RetireDevice(ctx context.Context, subscriberID, id ID, cause string, now time.Time) error
	// RetireAddress stops pushing to the device that has the address, if there is one.
	RetireAddress(ctx context.Context, address, cause string, now time.Time) error
}

// Pacer knows when the push service wants to be left alone.
type Pacer interface {
	// Paused returns for how long and why nothing may be pushed to anyone; zero when it may.
	Paused(ctx context.Context) (d time.Duration, cause string, err error)
}

// Devices registers, lists and tries devices.
type Devices struct {
	Store  DeviceStore
	Sender PushSender
	Pacer  Pacer
	Now    func() time.Time
}

// Register makes or refreshes a device; that of the caller's session is bound to it, and retired when it ends.
func (d *Devices) Register(ctx context.Context, c Caller, in DeviceInput) (Device, Creation, error) {
	if err := in.Validate(); err != nil {
		return Device{}, 0, err
	}
	return d.Store.RegisterDevice(ctx, c.SubscriberID, c.SessionID, in, d.Now())
}

// Rename gives a device another name.
func (d *Devices) Rename(ctx context.Context, c Caller, id ID, name string) (Device, error) {
	if err := (DeviceInput{Name: name}).Validate(); err != nil {
		return Device{}, err
	}
	return d.Store.RenameDevice(ctx, c.SubscriberID, id, name)
}

// Remove stops pushing to a device.
func (d *Devices) Remove(ctx context.Context, c Caller, id ID) error {
	return d.Store.RetireDevice(ctx, c.SubscriberID, id, RetiredRemoved, d.Now())
}

// Test sends one push to a device at once and tells what became of it.
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
