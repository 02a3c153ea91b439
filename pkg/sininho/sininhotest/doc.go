// Package sininhotest is a Sininho server in memory, for the tests of programs that use
// package sininho. It checks every request and every answer of its own against the API's
// contract (openapi/sininho.yaml), keeps what is published, streams it, knows idempotency
// keys and external ids, and fails on request: [Server.Answer] scripts the next answers,
// [Server.LoseAnswers] carries requests out and cuts the connection.
//
// It has the publisher demo with the channel demo/novidades and the API key
// [Server.APIKey]. It is no server to run: nothing is kept, pushed or limited.
package sininhotest
