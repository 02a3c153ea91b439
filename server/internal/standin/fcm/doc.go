// Package fcm is a stand-in for Firebase Cloud Messaging, for development and tests only. It speaks what Sininho uses of
// three services of Google, so that the real Admin SDK and the real web SDK work against it:
//
//   - OAuth 2.0 tokens for a service account (POST /token),
//   - FCM's HTTP v1 API (POST /v1/projects/{project}/messages:send), with FCM's answers to the letter where they are known,
//   - the installations and registrations that the web SDK asks for before it has a token.
//
// Beside these stands what the real ones have not: a record of what was accepted (/sent), counts (/stats), and answers
// and breakdowns on request (/faults).
package fcm
