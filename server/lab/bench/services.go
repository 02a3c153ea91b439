package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// services are what a server needs: PostgreSQL and stand-ins, in one process.
type services struct {
	DatabaseURL     string
	FCMURL          string
	PostHogURL      string
	CredentialsFile string
}

const (
	projectID = "sininho-bench"
	// The limits with 256 clients have a connection each. All else is PostgreSQL's default, durable commits included.
	maxConnections = "400"
	dirVariable    = "BENCH_DIR"
)

// serveServices is the role "services". Its data are in the directory of the environment.
func serveServices(ctx context.Context, ready func(any) error) (err error) {
	dir := os.Getenv(dirVariable)
	database, err := embeddedpg.Start(ctx, embeddedpg.Config{Dir: dir,
		Settings: map[string]string{"max_connections": maxConnections}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Stop()) }()
	messaging, err := fcm.New(fcm.Config{ProjectID: projectID})
	if err != nil {
		return err
	}
	push, err := standin.Serve(messaging.Handler())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, push.Close()) }()
	analytics, err := standin.Serve(http.HandlerFunc(acceptEvents))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, analytics.Close()) }()
	s := services{database.URL(), push.URL(), analytics.URL(), filepath.Join(dir, "firebase-credentials.json")}
	if err := os.WriteFile(s.CredentialsFile, messaging.ServiceAccountJSON(s.FCMURL+"/token"), 0o600); err != nil {
		return err
	}
	if err := ready(s); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// acceptEvents takes what is sent to PostHog. The stand-in would decode and keep it, at the cost of what is measured.
func acceptEvents(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	_, _ = io.WriteString(w, `{"status":"Ok"}`)
}

// environment returns the settings of a server.
func (s services) environment(databaseURL, addr string) map[string]string {
	key := make([]byte, 65)
	_, _ = rand.Read(key)
	return map[string]string{
		"DATABASE_URL": databaseURL, "LISTEN_ADDR": addr, "PUBLIC_URL": "http://" + addr,
		"SECRET_KEY": base64.StdEncoding.EncodeToString(core.NewSecretKey()), "LIMITS": "false", "COMPATIBLE_WITH": "ntfy",
		"STORAGE_QUOTA_MIB":         "1000000", // counted, and never reached
		"LOG_LEVEL":                 "warn",
		"FIREBASE_CREDENTIALS_FILE": s.CredentialsFile, "FCM_ENDPOINT": s.FCMURL + "/v1",
		"FCM_QUOTA_PER_MINUTE": "100000000", // the speed is measured, not the pace
		"POSTHOG_API_KEY":      "bench", "POSTHOG_HOST": s.PostHogURL,
		"DEMO_WEBHOOK_URL": "http://" + addr + "/api/v1/webhooks/channels/demo",
		"GOOGLE_CLIENT_ID": "bench.apps.example.com", "GOOGLE_SECRET": "bench",
		"FIREBASE_API_KEY": "bench", "FIREBASE_AUTH_DOMAIN": projectID + ".example.com",
		"FIREBASE_PROJECT_ID": projectID, "FIREBASE_MESSAGING_SENDER_ID": "123456789012",
		"FIREBASE_APP_ID":           "1:123456789012:web:0123456789abcdef",
		"FIREBASE_STORAGE_BUCKET":   projectID + ".example.com",
		"FIREBASE_VAPID_PUBLIC_KEY": base64.RawURLEncoding.EncodeToString(key),
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
