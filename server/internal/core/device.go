package core

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Device is a browser or phone that can receive pushes.
type Device struct {
	ID             ID
	SubscriberID   ID
	InstallationID string
	Push           PushAddress
	Platform       string
	Name           string
	CreatedAt      time.Time
	SeenAt         time.Time
	RingsSince     *time.Time // nil until a push service has accepted a push to the present address
	ShownAt        *time.Time // when it said last, to a day, that it showed a push; nil: never
	UnshownSince   *time.Time // since when it shows none of those that are accepted, if it has shown none for days
	RetiredAt      *time.Time
}

// DeviceInput is the input for registering a device.
type DeviceInput struct {
	InstallationID, Kind, Platform, Name string
	Address                              string // of a device of FCM
	Endpoint, P256dh, Auth               string // of a push subscription
}

// Validate implements Input.
func (in DeviceInput) Validate(r *Rules, _ time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	if !slices.Contains(r.push.Kinds, in.push().Transport()) {
		f.Add("#/kind", "off", Text{EN: "is not used here; only " + strings.Join(r.push.Kinds, " and ") + " is",
			PT: "não é usado aqui; só " + strings.Join(r.push.Kinds, " e ")})
		return f.Faults
	}
	if in.Kind == KindWebPush {
		in.checkSubscription(&f, r.push)
		return f.Faults
	}
	if in.Address == "" {
		f.Add("#/address", "required", Text{EN: "is required for this kind", PT: "é necessário para este tipo"})
	}
	for pointer, value := range map[string]string{"#/endpoint": in.Endpoint, "#/keys": in.P256dh + in.Auth} {
		if value != "" {
			f.Add(pointer, "kind", Text{EN: "is for devices of the kind webpush",
				PT: "é para dispositivos do tipo webpush"})
		}
	}
	return f.Faults
}

// checkSubscription adds the faults of a push subscription.
func (in DeviceInput) checkSubscription(f *faults, r PushRules) {
	if code, text := r.endpoint(in.Endpoint); code != "" {
		f.Add("#/endpoint", code, text)
	}
	if in.Address != "" {
		f.Add("#/address", "kind", Text{EN: "is for devices of the kind fcm", PT: "é para dispositivos do tipo fcm"})
	}
	_, p256dh, auth := ParsePushKeys(in.P256dh, in.Auth)
	if p256dh != nil {
		f.Add("#/keys/p256dh", "key", Text{EN: "must be a public key on P-256, uncompressed, in base64url",
			PT: "tem de ser uma chave pública em P-256, não comprimida, em base64url"})
	}
	if auth != nil {
		f.Add("#/keys/auth", "key", Text{EN: "must be 16 bytes in base64url", PT: "tem de ter 16 bytes em base64url"})
	}
}

// push returns where the device is pushed to.
func (in DeviceInput) push() PushAddress {
	if in.Kind != KindWebPush {
		return PushAddress{Kind: in.Kind, Address: in.Address}
	}
	keys, _, _ := ParsePushKeys(in.P256dh, in.Auth)
	return PushAddress{Kind: KindWebPush, Address: in.Endpoint, Keys: keys}
}

// Registration is a device to register.
type Registration struct {
	InstallationID, Platform, Name string
	Push                           PushAddress
}

// DeviceRename is the input for renaming a device.
type DeviceRename struct{ Name string }

// Validate implements Input.
func (in DeviceRename) Validate(*Rules, time.Time) []FieldError { return CheckName("#/name", in.Name) }

// DeviceStale is how long a device may be unseen before pushes to it stop.
const DeviceStale = 60 * 24 * time.Hour

// DeviceUnconfirmed is how long a device may go without an accepted push after it was registered, or its address
// changed.
const DeviceUnconfirmed = 24 * time.Hour

// DeviceShownEvery is how often it is noted that a device shows pushes.
const DeviceShownEvery = 20 * time.Hour

// A person may test devices TestsAtOnce times, and then once after each TestEvery: strangers choose the push services.
const (
	TestEvery   = 6 * time.Second
	TestsAtOnce = 10
)

// ErrTooManyTests returns the error for more tests of devices than there may be.
func ErrTooManyTests() *Error {
	return &Error{Code: CodeRateLimited, RetryAfter: TestEvery, Detail: Text{
		EN: "You have tested your devices many times. Wait a moment before you test one again.",
		PT: "Já testou os seus dispositivos muitas vezes. Espere um momento antes de testar outra vez."}}
}

// The causes for which a device is retired.
const (
	RetiredUnregistered = "unregistered"
	RetiredMoved        = "moved" // another registration took over its address or installation
	RetiredSignedOut    = "signed_out"
	RetiredRemoved      = "removed"
	RetiredStale        = "stale"
	RetiredUnconfirmed  = "unconfirmed" // it has accepted no push within DeviceUnconfirmed
	RetiredWrongKey     = "wrong_key"   // its subscription belongs to the key of another server
	RetiredRefused      = "refused"     // its push service refused every push for minutes
)

// DeviceStore keeps devices.
type DeviceStore interface {
	// RegisterDevice creates or refreshes the device of the caller's session or access token. It retires any other
	// device with the same address or installation. Each new address is soon pushed a confirmation.
	RegisterDevice(ctx context.Context, c Caller, r Registration, now time.Time) (Device, Creation, error)
	Devices(ctx context.Context, subscriberID ID, page Page) (data []Device, total int64, err error)
	Device(ctx context.Context, subscriberID, id ID) (Device, error)
	RenameDevice(ctx context.Context, subscriberID, id ID, name string) (Device, error)
	// RetireDevice stops pushes to a device; retiring it again changes nothing. It fails with CodeNotFound when the
	// subscriber never had the device.
	RetireDevice(ctx context.Context, subscriberID, id ID, cause string, now time.Time) error
	// RetireAddress stops pushes to the device with the address, if there is one.
	RetireAddress(ctx context.Context, address, cause string, now time.Time) error
	// PaceTest takes a person's turn to test a device. It fails with CodeRateLimited when they have none left.
	PaceTest(ctx context.Context, subscriberID ID) error
	// ConfirmAddress notes that a push service has accepted a push to the device with the address, if there is one.
	ConfirmAddress(ctx context.Context, address string, now time.Time) error
}

// Pacer knows when a push service wants no pushes.
type Pacer interface {
	// Paused returns how long and why nothing may be sent to a push service; d is zero when it may.
	Paused(ctx context.Context, service string) (d time.Duration, cause string, err error)
}

type devicesStore interface {
	DeviceStore
	Subscriber(ctx context.Context, id ID) (Subscriber, error)
}

// Devices registers, renames, removes and tests devices.
type Devices struct {
	store  devicesStore
	sender PushSender
	pacer  Pacer
	rules  *Rules
	now    func() time.Time
}

// NewDevices returns the service for devices.
func NewDevices(
	store devicesStore, sender PushSender, pacer Pacer, rules *Rules, now func() time.Time,
) *Devices {
	return &Devices{store: store, sender: sender, pacer: pacer, rules: rules, now: now}
}

// List returns the caller's devices.
func (d *Devices) List(ctx context.Context, c Caller, page Page) ([]Device, int64, error) {
	return d.store.Devices(ctx, c.SubscriberID, page)
}

// Register creates or refreshes a device. It is bound to the session or access token, and retired when that ends.
func (d *Devices) Register(ctx context.Context, c Caller, in DeviceInput) (Device, Creation, error) {
	now := d.now()
	if err := d.rules.check(in, now); err != nil {
		return Device{}, 0, err
	}
	r := Registration{InstallationID: in.InstallationID, Platform: in.Platform, Name: in.Name, Push: in.push()}
	return d.store.RegisterDevice(ctx, c, r, now)
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

// Test immediately sends one push to a device, in the caller's language, and returns the result. It sends nothing while
// pushes are paused.
func (d *Devices) Test(ctx context.Context, c Caller, id ID) (Result, error) {
	device, err := d.store.Device(ctx, c.SubscriberID, id)
	if err != nil {
		return Result{}, err
	}
	paused, cause, err := d.pacer.Paused(ctx, device.Push.Service())
	if err != nil || paused > 0 {
		return Result{Cause: cause, Wait: paused}, err
	}
	if err := d.store.PaceTest(ctx, c.SubscriberID); err != nil {
		return Result{}, err
	}
	s, err := d.store.Subscriber(ctx, c.SubscriberID)
	if err != nil {
		return Result{}, err
	}
	r := d.sender.Send(ctx, testPush(LanguageOf(s.Locale)), device.Push)
	switch {
	case r.Retire:
		err = d.store.RetireAddress(ctx, device.Push.Address, RetiredUnregistered, d.now())
	case r.Outcome == Accepted && device.RingsSince == nil:
		err = d.store.ConfirmAddress(ctx, device.Push.Address, d.now())
	}
	return r, err
}

func testPush(in Language) Push {
	id := NewID().String()
	return Push{
		ID: id, Title: "Sininho", Body: pushTexts.In(in).test,
		Expires: time.Now().Add(time.Hour),
	}
}

// NewConfirmation returns the push that confirms to a person that their device rings, in a language.
func NewConfirmation(id ID, in Language, now time.Time) Push {
	text := pushTexts.In(in)
	return Push{ID: id.String(), Title: text.rings, Body: text.test, Expires: now.Add(PushLife)}
}
