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

// Validate implements Input.
func (in DeviceInput) Validate(*Rules, time.Time) []FieldError {
	return CheckName("#/name", in.Name)
}

// DeviceRename is the input for renaming a device.
type DeviceRename struct{ Name string }

// Validate implements Input.
func (in DeviceRename) Validate(*Rules, time.Time) []FieldError { return CheckName("#/name", in.Name) }

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
	// RegisterDevice creates or refreshes the device of the caller's session or access token. It retires any other
	// device with the same address or installation.
	RegisterDevice(ctx context.Context, c Caller, in DeviceInput, now time.Time) (Device, Creation, error)
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
	store  DeviceStore
	sender PushSender
	pacer  Pacer
	now    func() time.Time
}

// NewDevices returns the service for devices.
func NewDevices(store DeviceStore, sender PushSender, pacer Pacer, now func() time.Time) *Devices {
	return &Devices{store: store, sender: sender, pacer: pacer, now: now}
}

// List returns the caller's devices.
func (d *Devices) List(ctx context.Context, c Caller, page Page) ([]Device, int64, error) {
	return d.store.Devices(ctx, c.SubscriberID, page)
}

// Register creates or refreshes a device. It is bound to the session or access token, and retired when that ends.
func (d *Devices) Register(ctx context.Context, c Caller, in DeviceInput) (Device, Creation, error) {
	now := d.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return Device{}, 0, err
	}
	return d.store.RegisterDevice(ctx, c, in, now)
}

// Rename changes the name of a device.
func (d *Devices) Rename(ctx context.Context, c Caller, id ID, in DeviceRename) (Device, error) {
	if err := invalid(in.Validate(nil, d.now())); err != nil {
		return Device{}, err
	}
	return d.store.RenameDevice(ctx, c.SubscriberID, id, in.Name)
}

// Remove stops pushes to a device.
func (d *Devices) Remove(ctx context.Context, c Caller, id ID) error {
	return d.store.RetireDevice(ctx, c.SubscriberID, id, RetiredRemoved, d.now())
}

// Test immediately sends one push to a device and returns the result. It sends nothing while pushes are paused.
func (d *Devices) Test(ctx context.Context, c Caller, id ID) (Result, error) {
	device, err := d.store.Device(ctx, c.SubscriberID, id)
	if err != nil {
		return Result{}, err
	}
	paused, cause, err := d.pacer.Paused(ctx)
	if err != nil || paused > 0 {
		return Result{Cause: cause, Wait: paused}, err
	}
	r := d.sender.Send(ctx, testPush(), device.Address)
	if r.Retire {
		err = d.store.RetireAddress(ctx, device.Address, RetiredUnregistered, d.now())
	}
	return r, err
}

func testPush() Push {
	id := NewID().String()
	return Push{
		ID: id, Title: "Sininho", Body: "As notificações chegam a este dispositivo.",
		Expires: time.Now().Add(time.Hour),
	}
}
