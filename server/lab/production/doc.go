// Package production runs an installation as an operator does: from the archive of a release, with the settings of its
// guide and its deployment files, behind Caddy and nginx, with PgBouncer and Prometheus. Servers are upgraded under
// load, and a backup of the database is restored. There is only test code here, and stand-ins take the place of Google
// and Firebase alone. It takes minutes: `make test-release` runs it.
package production
