import { describe, expect, it } from 'vitest'
import { payloadOf } from './message'
import { cli, curl, goProgram } from './snippets'

// e2e/snippets.spec.ts tests that the snippets run

const message = { title: 'Olá', body: '', importance: 'normal' } as const

it('sends only filled fields', () => {
  expect(payloadOf(message)).toEqual({ title: 'Olá' })
  expect(payloadOf({ ...message, body: 'x', importance: 'important' })).toEqual({
    title: 'Olá',
    body: 'x',
    importance: 'important',
  })
})

it('curl can be pasted into a shell whatever it says', () => {
  expect(curl('http://x/y', { title: "d'água" })).toBe(
    `curl 'http://x/y' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"title":"d'\\''água"}'`,
  )
})

describe('the command line', () => {
  it('contains the whole message and the address', () => {
    const all = { title: "d'água", body: 'B', importance: 'important' } as const
    expect(cli('http://x', 'A_SUA_CHAVE', 'demo/novidades', all)).toBe(
      [
        "export SININHO_URL='http://x'",
        "export SININHO_API_KEY='A_SUA_CHAVE'",
        'sininho publish demo/novidades \\',
        `  --title 'd'\\''água' \\`,
        "  --body 'B' \\",
        '  --importance important',
      ].join('\n'),
    )
  })

  it('gives a lone "-" through stdin, which it would mean otherwise', () => {
    expect(cli('http://x', 'k', 'c', { title: 'T', body: '-' })).toContain("printf '%s' - | sininho publish c \\\n")
  })
})

describe('Go', () => {
  const literal = (snippet: string) => /const message = ([^]*?)\n\nfunc/.exec(snippet)?.[1] ?? ''

  it('keeps the message readable', () => {
    expect(literal(goProgram('http://x', { title: "d'água" }))).toBe('`{\n  "title": "d\'água"\n}`')
  })

  it.each(['`; panic(1) //', '\u{FEFF}'])('quotes %j, which a raw string cannot hold', (text) => {
    const quoted = literal(goProgram('http://x', { title: text }))
    expect(quoted).toMatch(/^"(?:[^"\\\n\u{FEFF}]|\\(?:["\\nrtbf]|u[0-9a-f]{4}))*"$/u)
    expect(JSON.parse(JSON.parse(quoted) as string)).toEqual({ title: text })
  })

  it('has no half of a pair, which Go would refuse', () => {
    expect(goProgram('http://x', { title: 'a\ud83d`' })).not.toMatch(/\\ud83d/)
  })
})
