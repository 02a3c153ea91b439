package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/sininho/sininho/server/internal/mail"
)

// mailSender returns what sends emails to the mail server of the settings.
func (c Config) mailSender() (*mail.Sender, error) {
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, err
	}
	sender, err := mail.New(mail.Config{URL: c.SMTPURL, TLS: mail.TLSMode(c.SMTPTLS), From: c.MailFrom,
		PublicHost: public.Hostname()})
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL or MAIL_FROM %w", err)
	}
	return sender, nil
}

// CheckMail returns an error that says what to change if the mail server of the settings takes no emails.
func (c Config) CheckMail(ctx context.Context) error {
	if c.SMTPURL == "" {
		return nil
	}
	sender, err := c.mailSender()
	if err != nil {
		return err
	}
	return sender.Check(ctx)
}

// reportMail logs a warning if the mail server takes no emails. It runs until the returned function is called.
func (c Config) reportMail(ctx context.Context, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := c.CheckMail(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "the mail server takes no emails", "error", err)
		}
	}()
	return func() { cancel(); <-done }
}
