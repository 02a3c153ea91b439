// Package push has what the ways out share: fcm for Firebase Cloud Messaging, and webpush for the push services of
// browsers. Each turns a push into one request, and its response into a core.Result. Seal encrypts a push for a browser
// (RFC 8291). Nothing here decides when to push or to try again; that is delivery.
package push
