package core

import "github.com/google/uuid"

// ID identifies an object. Ids are UUIDv7: opaque to callers, and in order of creation, which keeps database indexes
// compact.
type ID = uuid.UUID

// NewID returns a new id.
func NewID() ID { return uuid.Must(uuid.NewV7()) }
