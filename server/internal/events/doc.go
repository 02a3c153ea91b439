// Package events posts events to publishers' event endpoints, signed according to Standard Webhooks. The endpoint
// addresses come from untrusted people. Only public IP addresses are dialled, checked after each name resolution. No
// redirect is followed, no proxy is used, and the size and time of a response are limited.
package events
