// Package dev runs all of Sininho on one machine without any account: a private PostgreSQL, stand-ins for Google,
// Firebase, PostHog and a mail server, sample data, and the server itself, unmodified. It is for development and tests.
package dev
