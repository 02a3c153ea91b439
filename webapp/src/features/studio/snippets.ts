import { env } from '../../env'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { goString, json, shell } from '../../lib/quoting'

/** Something that can be created in the browser, as a program creates it. */
export type Call = {
  /** Below the API's address. */
  path: string
  body: object
  /** The arguments of the command line. */
  cli: string[]
  /** The call of the Go SDK, and what is shown of its result. */
  go: { call: string; result: string }
}

export const webhookCall = (channel: ChannelAddress): Call => ({
  path: `/channels/${formatChannel(channel)}/webhooks`,
  body: { name: 'GitHub', sender: 'github' },
  cli: ['webhooks', 'create', formatChannel(channel), '--name', 'GitHub', '--sender', 'github'],
  go: {
    call: `Webhooks.Create(ctx, ${goString(formatChannel(channel))}, sininho.WebhookInput{
		Name:   "GitHub",
		Sender: sininho.SenderGitHub,
	})`,
    result: 'URL, created.Secret',
  },
})

const receiver = 'https://example.com/hooks/sininho'

export const endpointCall = (publisher: string): Call => ({
  path: `/publishers/${publisher}/event-endpoints`,
  body: { name: 'Painel', url: receiver },
  cli: ['endpoints', 'create', publisher, '--name', 'Painel', '--to', receiver],
  go: {
    call: `EventEndpoints.Create(ctx, ${goString(publisher)}, sininho.EventEndpointInput{
		Name: "Painel",
		URL:  ${goString(receiver)},
	})`,
    result: 'ID, created.Secret',
  },
})

export const keyCall = (publisher: string): Call => ({
  path: `/publishers/${publisher}/api-keys`,
  body: { name: 'Programa', scopes: ['publish'] },
  cli: ['keys', 'create', publisher, '--name', 'Programa', '--scopes', 'publish'],
  go: {
    call: `APIKeys.Create(ctx, ${goString(publisher)}, sininho.APIKeyInput{
		Name:   "Programa",
		Scopes: []sininho.Scope{sininho.ScopePublish},
	})`,
    result: 'ID, created.Secret',
  },
})

/** The address of the server, without that of the API on it. */
const server = () => new URL(env().API_BASE_URL, location.origin).href.replace(/\/api\/v1\/?$/, '')

export const curl = ({ path, body }: Call) =>
  [
    `curl ${shell(`${server()}/api/v1${path}`)} \\`,
    `  -H "Authorization: Bearer $SININHO_ACCESS_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shell(json(body))}`,
  ].join('\n')

export const cli = (call: Call) =>
  [
    `export SININHO_URL=${shell(server())}`,
    `export SININHO_API_KEY="$SININHO_ACCESS_TOKEN"`,
    `sininho ${call.cli.join(' ')}`,
  ].join('\n')

export const goProgram = ({ go }: Call) => `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/sininho/sininho/pkg/sininho"
)

func main() {
	ctx := context.Background()
	client, err := sininho.New(
		sininho.WithBaseURL(${goString(server())}),
		sininho.WithAccessToken(os.Getenv("SININHO_ACCESS_TOKEN")),
	)
	if err != nil {
		log.Fatal(err)
	}
	created, err := client.${go.call}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.${go.result})
}
`
