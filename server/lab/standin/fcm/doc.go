// Package fcm is a stand-in for Firebase Cloud Messaging, for development and tests only. It implements the parts of
// three Google services that Sininho uses, so that the real Admin SDK and the real web SDK work against it:
//
//   - OAuth 2.0 tokens for a service account (POST /token),
//   - FCM's HTTP v1 API (POST /v1/projects/{project}/messages:send), with FCM's exact responses where they are known,
//   - the installations and registrations by which the web SDK registers a browser.
//
// In addition it has what the real services lack: a record of the accepted messages (/sent), counts (/stats), and
// errors and failures on request (/faults).
package fcm
