import type { DemoPayload } from './message'

/** One word for any POSIX shell, whatever it holds. */
const shell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Half of a surrogate pair is no text, neither to Go nor to the server. */
const whole = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}') : value

const json = (value: unknown, indent?: number) => JSON.stringify(value, whole, indent)

/** A Go string. JSON escapes as Go does; a byte order mark is forbidden in Go's source. */
const goString = (text: string) => json(text).replaceAll('\u{FEFF}', String.raw`\ufeff`)

/** As goString, but left readable between backquotes where it can be. */
const goText = (text: string) => (/[`\u{FEFF}]/u.test(text) ? goString(text) : `\`${text}\``)

/** The same call from a terminal. */
export function curl(address: string, payload: DemoPayload): string {
  return [`curl ${shell(address)} \\`, `  -H 'Content-Type: application/json' \\`, `  -d ${shell(json(payload))}`].join(
    '\n',
  )
}

/** The same call as a Go program, by the standard library alone. */
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
	answer, err := http.Post(address, "application/json", strings.NewReader(message))
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status)
}
`
}

/** The same notification by the command line, which publishes with a key instead of a webhook. */
export function cli(server: string, key: string, channel: string, payload: DemoPayload): string {
  const { title, body, importance } = payload
  // a lone "-" would have the text read from stdin, so that is where it comes from then
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
