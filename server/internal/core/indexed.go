package core

// Indexed is what was done to make something findable by its words.
type Indexed struct {
	More    bool // may follow
	Skipped []ID // that are not found by their words, because PostgreSQL could not index them alone
}
