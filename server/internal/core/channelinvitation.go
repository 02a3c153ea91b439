package core

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"time"
)

// ChannelInvitation is a link by which people join a private channel. Its JSON is stored as the first response to an
// idempotency key.
type ChannelInvitation struct {
	ID        ID         `json:"id"`
	ChannelID ID         `json:"channelId"`
	Approval  bool       `json:"approval"`            // whoever opens it asks to join
	MaxUses   *int32     `json:"maxUses,omitempty"`   // nil: any number of people
	Uses      int32      `json:"uses"`                // how many have joined, or asked to
	ExpiresAt *time.Time `json:"expiresAt,omitempty"` // nil: never
	Email     string     `json:"email,omitempty"`     // to which it is sent, in lower case; empty: to none
	CreatedAt time.Time  `json:"createdAt"`
}

// ChannelInvitationLife is how long people can join by an emailed invitation, unless its publisher says otherwise.
const ChannelInvitationLife = 14 * 24 * time.Hour

// IsOpen reports whether people can join by the invitation.
func (i ChannelInvitation) IsOpen(now time.Time) bool {
	return (i.ExpiresAt == nil || now.Before(*i.ExpiresAt)) && (i.MaxUses == nil || i.Uses < *i.MaxUses)
}

// ReceivedChannelInvitation is an invitation as the invited person sees it. The state is empty until they accept.
type ReceivedChannelInvitation struct {
	ChannelInvitation
	Channel Channel
	State   ChannelMemberState
}

// channelInvitationPrefix begins the secret of each invitation.
const channelInvitationPrefix = "sni_live_"

// ChannelInvitationSecrets derives the secrets of invitations. A secret is not stored: it follows from the id of its
// invitation and a key, so that the email can be written again and a copy of the database tells no secret.
type ChannelInvitationSecrets struct{ key []byte }

// NewChannelInvitationSecrets derives the key of secrets from the server's secret key.
func NewChannelInvitationSecrets(secretKey []byte) (ChannelInvitationSecrets, error) {
	key, err := hkdf.Key(sha256.New, secretKey, nil, "sininho channel invitation", sha256.Size)
	return ChannelInvitationSecrets{key}, err
}

// Secret returns the secret of an invitation.
func (s ChannelInvitationSecrets) Secret(id ID) string {
	return derivedSecret(channelInvitationPrefix, s.key, id)
}

// ChannelInvitationPage returns the page of the web app where people join by an invitation. Browsers do not send what
// follows the "#", so the secret is in no log.
func ChannelInvitationPage(publicURL, secret string) string { return publicURL + "/join#" + secret }

// ChannelInvitationInput is the input for a new invitation.
type ChannelInvitationInput struct {
	Approval  bool
	MaxUses   *int32
	ExpiresAt *time.Time
	Email     string // to send it to, for one person unless MaxUses says otherwise
}

// Validate implements Input.
func (in ChannelInvitationInput) Validate(_ *Rules, now time.Time) []FieldError {
	var f faults
	f.Expiry("#/expiresAt", in.ExpiresAt, now)
	if in.Email != "" {
		f.merge(CheckEmail("#/email", in.Email))
	}
	return f.Faults
}

// invitation returns the invitation to a channel that the input describes.
func (in ChannelInvitationInput) invitation(channelID ID, now time.Time) ChannelInvitation {
	inv := ChannelInvitation{ID: NewID(), ChannelID: channelID, Approval: in.Approval, MaxUses: in.MaxUses,
		ExpiresAt: in.ExpiresAt, Email: lower(in.Email), CreatedAt: now}
	if inv.Email == "" {
		return inv
	}
	if inv.MaxUses == nil {
		inv.MaxUses = new(int32(1))
	}
	if inv.ExpiresAt == nil {
		inv.ExpiresAt = new(now.Add(ChannelInvitationLife))
	}
	return inv
}

// ChannelInviter is who invites people to a channel: a member of its publisher, or one of its API keys.
type ChannelInviter struct {
	SubscriberID ID  // zero: a key
	PerDay       int // how many addresses a person, and a publisher, can invite within InvitationDay
}

// ChannelInvitationStore keeps invitations to channels.
type ChannelInvitationStore interface {
	// ChannelInvitations returns those that were not revoked, the latest first.
	ChannelInvitations(ctx context.Context, channelID ID, page Page) ([]ChannelInvitation, int64, error)
	// CreateChannelInvitation fails with CodeConflict when the channel is not private and, for an invitation with an
	// address, with CodeRateLimited when by has invited as many as they may. It must not read whether the address has
	// an account.
	CreateChannelInvitation(
		ctx context.Context, inv ChannelInvitation, hash []byte, by ChannelInviter, key Idempotency,
	) (ChannelInvitation, Creation, error)
	// RevokeChannelInvitation fails with CodeNotFound when the channel never had the invitation.
	RevokeChannelInvitation(ctx context.Context, channelID, id ID, now time.Time) error
	// ChannelInvitationBySecret returns an invitation with what it is to a person, who may be nil. It fails with
	// CodeNotFound when it is not open to them, or the channel is suspended or not private.
	ChannelInvitationBySecret(
		ctx context.Context, hash []byte, subscriberID *ID, now time.Time,
	) (ReceivedChannelInvitation, error)
	// AcceptChannelInvitation makes a person follow the channel, or stores that they have asked to. It fails as
	// ChannelInvitationBySecret and Subscribe do.
	AcceptChannelInvitation(
		ctx context.Context, hash []byte, subscriberID ID, now time.Time,
	) (ReceivedChannelInvitation, error)
}

type channelInvitationsStore interface {
	ChannelStore
	PublisherStore
	ChannelInvitationStore
}

// ChannelInvitations makes and revokes invitations to private channels, and takes the answers.
type ChannelInvitations struct {
	store    channelInvitationsStore
	secrets  ChannelInvitationSecrets
	perDay   int
	announce Announcer
	now      func() time.Time
}

// NewChannelInvitations returns the service for invitations to channels. A person, and a publisher, can invite perDay
// addresses within InvitationDay.
func NewChannelInvitations(
	store channelInvitationsStore, secrets ChannelInvitationSecrets, perDay int, announce Announcer,
	now func() time.Time,
) *ChannelInvitations {
	return &ChannelInvitations{store: store, secrets: secrets, perDay: perDay, announce: announce, now: now}
}

// List returns the invitations to a channel of a publisher that the caller may edit.
func (s *ChannelInvitations) List(
	ctx context.Context, c Caller, publisherSlug, slug string, page Page,
) ([]ChannelInvitation, int64, error) {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return nil, 0, err
	}
	return s.store.ChannelInvitations(ctx, channel.ID, page)
}

// Create makes an invitation to a channel of a publisher that the caller may edit. The secret is empty when the request
// is a replay.
func (s *ChannelInvitations) Create(
	ctx context.Context, c Caller, publisherSlug, slug string, in ChannelInvitationInput, key Idempotency,
) (inv ChannelInvitation, secret string, creation Creation, err error) {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return ChannelInvitation{}, "", 0, err
	}
	now := s.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return ChannelInvitation{}, "", 0, err
	}
	inv = in.invitation(channel.ID, now)
	secret = s.secrets.Secret(inv.ID)
	by := ChannelInviter{SubscriberID: c.SubscriberID, PerDay: s.perDay}
	inv, creation, err = s.store.CreateChannelInvitation(ctx, inv, HashSecret(secret), by, key)
	if err != nil || creation != Created {
		secret = ""
	}
	return inv, secret, creation, err
}

// Revoke ends an invitation to a channel of a publisher that the caller may edit.
func (s *ChannelInvitations) Revoke(ctx context.Context, c Caller, publisherSlug, slug string, id ID) error {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return err
	}
	return s.store.RevokeChannelInvitation(ctx, channel.ID, id, s.now())
}

// Show returns what an invitation leads to.
func (s *ChannelInvitations) Show(ctx context.Context, c Caller, secret string) (ReceivedChannelInvitation, error) {
	if !wellFormed(channelInvitationPrefix, secret) {
		return ReceivedChannelInvitation{}, NotFound()
	}
	return s.store.ChannelInvitationBySecret(ctx, HashSecret(secret), c.reader(), s.now())
}

// Accept makes the caller follow the channel, or asks its publisher to approve that.
func (s *ChannelInvitations) Accept(ctx context.Context, c Caller, secret string) (ReceivedChannelInvitation, error) {
	if !wellFormed(channelInvitationPrefix, secret) {
		return ReceivedChannelInvitation{}, NotFound()
	}
	inv, err := s.store.AcceptChannelInvitation(ctx, HashSecret(secret), c.SubscriberID, s.now())
	if err == nil && inv.State == MemberJoined {
		s.announce.Followed(ctx, c.SubscriberID)
	}
	return inv, err
}
