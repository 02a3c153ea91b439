package postgres

// What tests of other packages use.
var (
	Texts  = texts
	Hashes = hashes

	Migrations   = migrations
	MigrateFiles = migrate
)
