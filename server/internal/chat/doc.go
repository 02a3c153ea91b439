// Package chat reads the messages that programs post to incoming webhooks of Slack and Discord, and flattens them to
// the fields of a notification. Programs with an output for one of the two can then publish without a change.
//
// The payloads come from strangers. What is not as documented is left out, nesting is followed to maxDepth only, and
// the time is proportional to the size. Nothing here fetches an address.
package chat
