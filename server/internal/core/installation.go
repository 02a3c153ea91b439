package core

import (
	"context"
	"time"
)

// Setting is a setting of the server, as operators see it.
type Setting struct {
	Name   string
	Value  string // empty for a secret
	Set    bool   // it has a value
	Secret bool
	Source SettingSource
}

// SettingSource is where the value of a setting comes from. A file that a variable names counts as the environment.
type SettingSource string

// The sources.
const (
	SettingDefault     SettingSource = "default"
	SettingEnvironment SettingSource = "environment"
)

// FailingEndpoint is an event endpoint that accepted none of the latest events, or that was disabled because of that.
type FailingEndpoint struct {
	EventEndpoint
	PublisherSlug string
	LastStatus    int // of the latest attempt; 0 without a response
	LastError     string
	Pending       int64 // events that wait for it
}

// FailingEndpointStore finds failing event endpoints.
type FailingEndpointStore interface {
	// FailingEndpoints returns the failing endpoints of all publishers, those that have been failing longest first.
	FailingEndpoints(ctx context.Context, page Page) (data []FailingEndpoint, total int64, err error)
}

type installationStore interface {
	HealthStore
	FailingEndpointStore
	Subscriber(ctx context.Context, id ID) (Subscriber, error)
}

// Installation shows operators how the installation is doing.
type Installation struct {
	store     installationStore
	operators Operators
	settings  []Setting
	now       func() time.Time
}

// NewInstallation returns the service. settings are those in force on this node.
func NewInstallation(
	store installationStore, operators Operators, settings []Setting, now func() time.Time,
) *Installation {
	return &Installation{store: store, operators: operators, settings: settings, now: now}
}

// Health returns the figures of the last hours, of one node unless node is empty.
func (i *Installation) Health(ctx context.Context, c Caller, hours int, node string) (Health, error) {
	if err := i.operators.Check(ctx, c, i.store.Subscriber); err != nil {
		return Health{}, err
	}
	return i.store.Health(ctx, NewHealthPeriod(hours, i.now()), node)
}

// FailingEndpoints returns the failing event endpoints of all publishers.
func (i *Installation) FailingEndpoints(ctx context.Context, c Caller, page Page) ([]FailingEndpoint, int64, error) {
	if err := i.operators.Check(ctx, c, i.store.Subscriber); err != nil {
		return nil, 0, err
	}
	return i.store.FailingEndpoints(ctx, page)
}

// Settings returns the settings in force on this node, by name.
func (i *Installation) Settings(ctx context.Context, c Caller) ([]Setting, error) {
	if err := i.operators.Check(ctx, c, i.store.Subscriber); err != nil {
		return nil, err
	}
	return i.settings, nil
}
