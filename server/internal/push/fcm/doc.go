// Package fcm sends pushes through Firebase Cloud Messaging with the Firebase Admin SDK, and turns each response into a
// core.Result. It sends each push once: the SDK's own retries are switched off, because they could push twice without
// the knowledge of the dispatcher, which decides every retry.
package fcm
