// Package sininhotest is a Sininho server in memory, for the tests of programs that publish with package sininho.
//
//	func TestAnnounce(t *testing.T) {
//		server := sininhotest.New(t)
//		client := server.Client(sininho.WithAPIKey(server.Channel("metro/avisos")))
//		server.Respond(sininhotest.Refuse(503, "unavailable", 0)) // the first attempt fails
//		announce(client, "metro/avisos", "Strike tomorrow", time.Now().Add(time.Hour))
//		server.Step(time.Hour)
//		if got := server.Published("metro/avisos"); len(got) != 1 || got[0].PublishedAt.IsZero() {
//			t.Errorf("published %+v", got)
//		}
//	}
//
// It covers Auth.Get, Channels.Get, all of Notifications but versions, and the webhooks of plain senders, unsigned or
// signed by the standard, to which one can post JSON: with the statuses, codes and faults of a server on the internet.
// Any other request gets a 501 whose code is not_implemented. Script its response with [Server.Reply], or test against
// `sininho-server dev`. Nothing is pushed or rate limited.
package sininhotest
