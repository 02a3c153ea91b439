package core

import "github.com/google/uuid"

// ID identifies anything. Ids are UUIDv7: opaque to callers, and in order of creation for the database's sake.
type ID = uuid.UUID

// NewID makes an id.
func NewID() ID { return uuid.Must(uuid.NewV7()) }
