package core

// ChangeKind is what happened to a notification, as the stream calls it.
type ChangeKind string

// The kinds of change.
const (
	ChangePublished ChangeKind = "notification"
	ChangeCorrected ChangeKind = "corrected"
	ChangeWithdrawn ChangeKind = "withdrawn"
)

// Change is a publication or a notification's latest change since, at its position on the stream. Both show the
// notification as it is now.
type Change struct {
	Position     int64
	Kind         ChangeKind
	Notification Notification
}

// Signal is what nodes tell each other: ids only. One of its fields is set.
type Signal struct {
	Position  int64      `json:"position,omitempty"`  // the stream has reached this place
	Followed  *ID        `json:"followed,omitempty"`  // this subscriber follows other channels than before
	Reader    *ID        `json:"reader,omitempty"`    // this subscriber read something:
	Read      *ReadEvent `json:"read,omitempty"`      // that
	Deleted   *ID        `json:"deleted,omitempty"`   // this channel is no more
	SignedOut *ID        `json:"signedOut,omitempty"` // this session, access token or API key ended, or will
}
