package dev

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
	"github.com/sininho/sininho/server/lab/standin/mailbox"
	"github.com/sininho/sininho/server/lab/standin/openid"
	"github.com/sininho/sininho/server/lab/standin/posthog"
	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

const (
	projectID    = "sininho-dev"
	clientID     = "sininho-dev.apps.example.com"
	clientSecret = "only-for-the-stand-in" // accepted only by the stand-ins
	providerID   = "acme"
	providerName = "Acme"
)

// StandIns are the stand-ins for external services, on loopback.
type StandIns struct {
	FCM, Google, OIDC, PostHog *standin.Server
	Push                       *pushservice.Service
	Mail                       *mailbox.Mailbox
	credentials                string // file with the service account
}

func startStandIns(ctx context.Context, dir string) (s *StandIns, err error) {
	s = &StandIns{credentials: filepath.Join(dir, "firebase-credentials.json")}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.Push, err = pushservice.Start(ctx); err != nil {
		return s, err
	}
	if s.Mail, err = mailbox.Start(mailbox.Config{}); err != nil {
		return s, err
	}
	kept, err := os.ReadFile(s.credentials) // reused, so that access tokens in use stay valid
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return s, err
	}
	messaging, err := fcm.New(fcm.Config{ProjectID: projectID, Credentials: kept, Deliver: deliverTo(s.Push)})
	if err != nil {
		return s, err
	}
	if s.FCM, err = standin.Serve(messaging.Handler()); err != nil {
		return s, err
	}
	if err = os.WriteFile(s.credentials, messaging.ServiceAccountJSON(s.FCM.URL()+"/token"), 0o600); err != nil {
		return s, err
	}
	for name, at := range map[string]**standin.Server{"Google": &s.Google, providerName: &s.OIDC} {
		provider := openid.New(openid.Config{Name: name, ClientID: clientID, ClientSecret: clientSecret})
		if *at, err = standin.Serve(provider.Handler()); err != nil {
			return s, err
		}
	}
	s.PostHog, err = standin.Serve(posthog.New().Handler())
	return s, err
}

// deliverTo passes pushes that FCM accepted for a real browser on to its push service.
func deliverTo(push *pushservice.Service) func(context.Context, fcm.Subscription, []byte) error {
	return func(ctx context.Context, to fcm.Subscription, payload []byte) error {
		err := push.Deliver(ctx, pushservice.Subscription(to), payload)
		if errors.Is(err, pushservice.ErrGone) {
			return fcm.ErrGone
		}
		return err
	}
}

func (s *StandIns) close() (err error) {
	if s.FCM != nil {
		err = errors.Join(err, s.FCM.Close())
	}
	for _, server := range []*standin.Server{s.Google, s.OIDC, s.PostHog} {
		if server != nil {
			err = errors.Join(err, server.Close())
		}
	}
	if s.Mail != nil {
		err = errors.Join(err, s.Mail.Close())
	}
	if s.Push != nil {
		err = errors.Join(err, s.Push.Close())
	}
	return err
}

// Credentials returns the service account of the Firebase stand-in as JSON.
func (s *StandIns) Credentials() ([]byte, error) { return os.ReadFile(s.credentials) }
