import { expect, it } from 'vitest'
import { readMarkdown, readSpans } from './markdown'

it('reads headings, paragraphs and lists', () => {
  const text = `
# Os seus dados

Guardamos o
seu e-mail.
## Direitos ##
- Levar
  tudo consigo

- Apagar
1. Um
2) Dois
#### Mais
`
  expect(readMarkdown(text.replaceAll('\n', '\r\n'))).toEqual({
    title: 'Os seus dados',
    blocks: [
      { kind: 'paragraph', text: 'Guardamos o seu e-mail.' },
      { kind: 'heading', level: 2, text: 'Direitos' },
      { kind: 'list', ordered: false, items: ['Levar tudo consigo', 'Apagar'] },
      { kind: 'list', ordered: true, items: ['Um', 'Dois'] },
      { kind: 'heading', level: 3, text: 'Mais' },
    ],
  })
})

it('takes a title only from the first line', () => {
  expect(readMarkdown('Antes.\n# Depois')).toEqual({
    title: undefined,
    blocks: [
      { kind: 'paragraph', text: 'Antes.' },
      { kind: 'heading', level: 2, text: 'Depois' },
    ],
  })
  expect(readMarkdown('# Um\n# Dois')).toEqual({ title: 'Um', blocks: [{ kind: 'heading', level: 2, text: 'Dois' }] })
  expect(readMarkdown('')).toEqual({ title: undefined, blocks: [] })
})

it('splits a line at bold words and links', () => {
  expect(readSpans('Veja as **regras**, a [página](https://example.com/a) e os [dados](/privacy).')).toEqual([
    { text: 'Veja as ' },
    { text: 'regras', bold: true },
    { text: ', a ' },
    { text: 'página', href: 'https://example.com/a' },
    { text: ' e os ' },
    { text: 'dados', href: '/privacy' },
    { text: '.' },
  ])
  expect(readSpans('[e-mail](mailto:a@example.com)')).toEqual([{ text: 'e-mail', href: 'mailto:a@example.com' }])
})

it.each([
  '[x](javascript:alert(1))',
  '[x](JavaScript:alert)',
  '[x](data:text/html,x)',
  '[x](//example.com)',
  '[x](/\\example.com)',
  '<a href="https://example.com">x</a>',
  '**',
])('leaves %s as text', (line) => {
  expect(readSpans(line)).toEqual([{ text: line }])
})
