// Package fcm pushes through Firebase Cloud Messaging with the Firebase Admin SDK, and turns each answer into a
// core.Result. It sends once: the SDK's own retries are switched off, because they could push twice behind the back of
// the dispatcher, which decides every retry.
package fcm
