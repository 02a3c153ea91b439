// Package sininhotest is a Sininho server in memory, for the tests of programs that use
// package sininho. It checks every request and every answer of its own against the API's
// contract (openapi/sininho.yaml), refuses to publish what a server on the internet would
// refuse, keeps what is published, streams it, knows idempotency keys and external ids, and
// fails on request: [Server.Answer] scripts the next answers, [Server.LoseAnswers] carries
// requests out and cuts the connection.
//
// It has the publisher demo with the channel demo/novidades and the API key
// [Server.APIKey], and one person, ana@example.com, with the access token
// [Server.AccessToken], who owns demo, is an operator and has one device; the person
// bia@example.com has signed in too and can become a member. [Server.AnswerDeviceSignIn]
// confirms a device sign-in as ana. It is no server to run: nothing is kept, pushed or
// limited.
package sininhotest
