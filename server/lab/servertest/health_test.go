package servertest_test

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestOperatorsSeeCountsWithoutMetrics expects a server without METRICS_ADDR to store what it did, when it stops.
func TestOperatorsSeeCountsWithoutMetrics(t *testing.T) {
	t.Parallel()
	database := servertest.Database(t)
	t.Run("serve", func(t *testing.T) {
		s := servertest.Start(t, servertest.With("DATABASE_URL", database), servertest.With("METRICS_ADDR", ""))
		person := s.SignIn(t, "ana@example.com")
		ownChannel(person, "jornal")
		person.Do(http.MethodPost, "/channels/jornal/jornal/notifications", object{"title": "Olá"}, 201, nil)
		s.Sent(t, "token-jornal", 0)
		fetchText(t, s.URL+"/docs") // is no request to the API
	})
	db, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	defer db.Close(t.Context()) // nothing is written
	var published, accepted, requests, errors int
	err = db.QueryRow(t.Context(), "select sum(published), sum(accepted), sum(requests), sum(errors) from node_samples").
		Scan(&published, &accepted, &requests, &errors)
	if err != nil {
		t.Fatalf("read the samples: %v", err)
	}
	check.Equal(t, "notifications that were published", published, 1)
	check.Equal(t, "pushes that were accepted, with the one that confirms the device", accepted, 2)
	check.Equal(t, "requests that failed", errors, 0)
	if requests < 5 {
		t.Errorf("requests: got %d, want the 5 that make the channel and publish, and those that sign in", requests)
	}
}
