import { describe, expect, it } from 'vitest'
import { linkify } from './linkify'

const origin = 'https://sininho.example'
const links = (text: string) => linkify(text, origin).flatMap(({ text: said, href }) => (href ? [[said, href]] : []))

describe('links in a text', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['Veja http://example.com.', 'http://example.com', 'http://example.com/'],
    ['(https://example.com/a_(b)) e', 'https://example.com/a_(b))', 'https://example.com/a_(b))'],
    ['(ver https://example.com/a)', 'https://example.com/a', 'https://example.com/a'],
    ['«https://example.com/ção»', 'https://example.com/ção', 'https://example.com/%C3%A7%C3%A3o'],
    ['https://sininho.example/channels/a/b', ...twice('https://sininho.example/channels/a/b')],
    ['Escreva a ana.silva+x@mail.example.pt!', 'ana.silva+x@mail.example.pt', 'mailto:ana.silva+x@mail.example.pt'],
    ['Ligue +351 912 345 678.', '+351 912 345 678', 'tel:+351912345678'],
    ['Ligue 912 345 678, ou', '912 345 678', 'tel:912345678'],
    ['tel. 21 123 45 67', '21 123 45 67', 'tel:211234567'],
    ['(11) 91234-5678', '(11) 91234-5678', 'tel:11912345678'],
    ['+55 (11) 91234-5678', '+55 (11) 91234-5678', 'tel:+5511912345678'],
  ])('%s', (text, said, href) => {
    expect(links(text)).toEqual([[said, href]])
  })

  it.each([
    ['no scheme', 'example.com e www.example.com'],
    ['another scheme', 'javascript:alert(1) data:text/html,x ftp://example.com'],
    ['credentials that look like a host', 'https://google.com@example.com/'],
    ['a mark that turns the text around', 'https://example.com/\u202Egpj.exe'],
    ['an invisible character', 'https://exa\u200Bmple.com/'],
    ['a page of this app that acts for the reader', 'https://sininho.example/login/device'],
    ['a host without a dot', 'http://localhost/admin'],
    [
      'amounts, dates, versions and other numbers',
      '1 234 567,89 € 2026-11-27 1.234.567 v2.10.300 NIF 123456789 10:30 500 000 000',
    ],
    ['an unfinished address', 'https:// e @ana'],
  ])('is none: %s', (_why, text) => {
    expect(links(text)).toEqual([])
  })

  it('keeps every character of the text, in order', () => {
    const text = 'a https://example.com/, b@c.pt; +351 912 345 678\n https://x@y.z fim'
    expect(
      linkify(text, origin)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  // backtracking would take minutes
  it('is quick with long texts that are nearly links', { timeout: 20_000 }, () => {
    for (const text of [
      'a'.repeat(20_000),
      '1 '.repeat(10_000),
      '+1('.repeat(6_000),
      'a@'.repeat(10_000),
      'https://'.repeat(2500),
    ]) {
      expect(
        linkify(text, origin)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    }
  })
})

function twice(text: string): [string, string] {
  return [text, text]
}
