// Package sininhotest is a Sininho server in memory, for the tests of programs that publish
// with package sininho. What it covers it does as a server on the internet does, with the
// same statuses, codes and faults; the tests of Sininho run one table of calls against both.
//
//	func TestAlarm(t *testing.T) {
//		server := sininhotest.New(t)
//		server.Answer(sininhotest.Refuse(503, "unavailable", 0)) // the first attempt fails
//		alarm(server.Client(), "A disk is full")
//		if got := server.Published("demo/novidades"); len(got) != 1 || got[0].Title != "A disk is full" {
//			t.Errorf("published %+v", got)
//		}
//	}
//
// # What it covers
//
// It covers what a program does with an API key:
//
//   - [sininho.AuthService.Get]
//   - reading categories: there are transportes and tecnologia
//   - channels: list, create, get, update, delete
//   - notifications: list, publish, get, correct, withdraw, with schedule and expiry
//   - the live stream of a channel
//
// Any other request, such as one of a signed-in person, gets a 501 with the code
// not_implemented that names it. Script such a call with [Server.Reply], or run a real server
// (`sininho-server dev`). Nothing is pushed, rate limited or kept after the test.
//
// # Credentials
//
// It starts with the publisher demo, its channel demo/novidades and the API key
// [Server.APIKey], which has every scope. [Server.NewAPIKey] makes keys with fewer scopes or
// of other publishers, and [Server.RevokeAPIKey] ends one.
//
// # Faults
//
// [Server.Answer] replaces the responses to the next requests, for example by [Refuse] or
// [Cut]. [Server.LoseAnswers] carries requests out but cuts the connection.
// [Server.CutStreams] ends the open streams.
package sininhotest
