// Package payload reads the bodies that other systems post to webhooks, in the encodings and media types that they
// really use, as one JSON object of bounded size. It also words what is wrong with JSON, for webhooks and for the API.
//
// The bytes come from strangers: nothing here takes more memory than a few times the size of the body.
package payload
