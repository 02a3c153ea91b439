import { goString, goText, json, shell } from '../../lib/quoting'
import type { DemoPayload } from './message'

/** Formats the call as a curl command. */
export function curl(address: string, payload: DemoPayload): string {
  return [`curl ${shell(address)} \\`, `  -H 'Content-Type: application/json' \\`, `  -d ${shell(json(payload))}`].join(
    '\n',
  )
}

/** Formats the call as a Go program that uses only the standard library. */
export function goProgram(address: string, payload: DemoPayload): string {
  return `package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"
)

const address = ${goString(address)}

const message = ${goText(json(payload, 2))}

func main() {
	resp, err := http.Post(address, "application/json", strings.NewReader(message))
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
}
`
}

/** Formats the call as a CLI command, which publishes with an API key instead of the webhook. */
export function cli(server: string, key: string, channel: string, payload: DemoPayload): string {
  const { title, body, importance } = payload
  // the CLI reads the body from stdin when it is "-", so a body of "-" has to come from stdin
  const piped = body === '-'
  return [
    `export SININHO_URL=${shell(server)}`,
    `export SININHO_API_KEY=${shell(key)}`,
    [
      `${piped ? "printf '%s' - | " : ''}sininho publish ${channel}`,
      `--title ${shell(title)}`,
      body && `--body ${piped ? '-' : shell(body)}`,
      importance && `--importance ${importance}`,
    ]
      .filter(Boolean)
      .join(' \\\n  '),
  ].join('\n')
}
