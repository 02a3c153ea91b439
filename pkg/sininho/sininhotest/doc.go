// Package sininhotest is a Sininho server in memory, for the tests of programs that use
// package sininho. It checks every request and every answer of its own against the API's
// contract (openapi/sininho.yaml), refuses to publish what a server on the internet would
// refuse, keeps what is published, streams it, and knows idempotency keys and external ids.
//
// It follows a script where a test needs one: [Server.Reply] gives the next answer, which the
// contract must have; [Server.Answer] gives any answer at all, such as one of [Refuse] or [Cut];
// [Server.LoseAnswers] carries requests out and cuts the connection.
//
//	func TestAlarm(t *testing.T) {
//		server := sininhotest.New(t)
//		server.Answer(sininhotest.Refuse(503, "unavailable", 0)) // the first answer; then it is up
//		alarm(server.Client(), "A disk is full")
//		if got := server.Published("demo/novidades"); len(got) != 1 || got[0].Title != "A disk is full" {
//			t.Errorf("published %+v", got)
//		}
//	}
//
// It has the publisher demo with the channel demo/novidades and the API key
// [Server.APIKey], and one person, ana@example.com, with the access token
// [Server.AccessToken], who owns demo, is an operator and has one device; the person
// bia@example.com has signed in too and can become a member. [Server.AnswerDeviceSignIn]
// confirms a device sign-in as ana. Webhooks take what is posted to their URLs, signed in any
// of the ways, and publish plain payloads; senders' templates are rendered by servers alone.
// It is no server to run: nothing is kept, pushed, sent to event endpoints or limited.
package sininhotest
