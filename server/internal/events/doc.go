// Package events posts events to publishers' event endpoints, signed as Standard Webhooks says. The addresses are given by
// people who are not trusted: only public ones are dialled, whatever a name stands for at that moment, no redirect is
// followed, no proxy asked, and of an answer no more is read, and no longer, than is of use.
package events
