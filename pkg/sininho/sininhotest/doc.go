// Package sininhotest is an in-memory Sininho server for testing programs that publish with package
// sininho. The operations that it covers behave like those of a server on the internet, with the
// same statuses, codes and faults; Sininho's own tests run one table of calls against both.
//
//	func TestAlarm(t *testing.T) {
//		server := sininhotest.New(t)
//		server.Respond(sininhotest.Refuse(503, "unavailable", 0)) // the first attempt fails
//		alarm(server.Client(), "A disk is full")
//		if got := server.Published("demo/novidades"); len(got) != 1 || got[0].Title != "A disk is full" {
//			t.Errorf("published %+v", got)
//		}
//	}
//
// # What it covers
//
// It covers the operations that a program with an API key uses:
//
//   - [sininho.AuthService.Get]
//   - reading categories: there are transportes and tecnologia
//   - channels: list, create, get, update, delete
//   - notifications: list, publish, get, correct, withdraw, with schedule and expiry
//   - the live stream of a channel
//
// Any other request, such as one of a signed-in person, gets a 501 whose code is not_implemented and
// whose detail names the request. Script the response to such a request with [Server.Reply], or run
// a real server (`sininho-server dev`). Nothing is pushed, rate limited or stored beyond the test, and there is no
// picture proxy.
//
// # Credentials
//
// The server starts with the publisher demo, its channel demo/novidades and the API key
// [Server.APIKey], which has every scope. [Server.NewAPIKey] creates keys with fewer scopes or of
// other publishers, and [Server.RevokeAPIKey] revokes one.
//
// # Faults
//
// [Server.Respond] replaces the responses to the next requests, for example with [Refuse] or [Cut].
// [Server.LoseResponses] carries requests out but cuts the connection before responding.
// [Server.CutStreams] ends the open streams.
package sininhotest
