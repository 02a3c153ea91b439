// Package mend turns what other programs write into a notification that the API accepts: it decodes, cleans and cuts
// texts, mends or drops links, and says what it did.
//
// The API refuses such texts and says where they are wrong. This package is for the doors through which reports of
// programs come that cannot be corrected: webhooks, and the command line's pipe. It never fails: only a notification
// without any visible text still has a fault afterwards.
package mend
