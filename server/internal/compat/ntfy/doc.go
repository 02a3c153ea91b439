// Package ntfy speaks the protocol of ntfy (docs.ntfy.sh) at the root of the server, so that scripts and programs made
// for it work after a change of the address and the credential.
//
// The topic publisher_channel is the channel publisher/channel. A credential is an API key or access token, as Bearer,
// as the password of Basic, or in ?auth=. What a notification has no member for is kept in its data, so that whoever
// subscribes by this protocol gets what was published by it. What cannot be done is refused with ntfy's own errors.
package ntfy
