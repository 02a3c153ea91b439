package core

import (
	"context"
	"time"
)

// ChangeKind is the type of a stream event about a notification.
type ChangeKind string

// The kinds of change.
const (
	ChangePublished ChangeKind = "notification"
	ChangeCorrected ChangeKind = "corrected"
	ChangeWithdrawn ChangeKind = "withdrawn"
)

// Change is the publication of a notification, or its latest change since, at a stream position. Either way it includes
// the notification in its current state.
type Change struct {
	Position     int64
	Kind         ChangeKind
	Notification Notification
}

// ChangePosition is where a change is on the stream.
type ChangePosition struct {
	Position                  int64
	NotificationID, ChannelID ID
	Bytes                     int64 // of the texts of the notification
}

// Signal is a message between nodes that contains only ids and positions. Exactly one of its fields is set, except that
// Read comes with Reader, and ChannelIDs with Position.
type Signal struct {
	Position  int64      `json:"position,omitempty"`  // the stream has reached this position;
	Followed  *ID        `json:"followed,omitempty"`  // this subscriber followed or unfollowed a channel
	Reader    *ID        `json:"reader,omitempty"`    // this subscriber read something,
	Read      *ReadEvent `json:"read,omitempty"`      // namely this
	Reset     *ID        `json:"reset,omitempty"`     // this channel was deleted, hidden or shown again
	Left      *ID        `json:"left,omitempty"`      // somebody may no longer see this channel
	SignedOut *ID        `json:"signedOut,omitempty"` // this session, access token or API key ended or will end

	ChannelIDs []ID `json:"-"` // with Position: where there are changes, for a relay to know the nodes that need it
}

// StreamRequest is a request for a live stream.
type StreamRequest struct {
	CredentialID ID         // of the session, access token or API key; zero for a visitor
	ExpiresAt    *time.Time // end of the credential; nil: none
	LastEventID  string     // the client's Last-Event-ID, or empty
	Ended        func()     // called once when the stream has ended, maybe long after its handler returned
	// Room waits until there is memory for a part of a replay, which release gives back; nil: there is.
	Room func(ctx context.Context) (release func(), err error)
}
