import { expect, it } from 'vitest'
import { parseSetup, searchOfSetup } from './setup-link'

const metro = { publisherSlug: 'metro', slug: 'linhas' }

it('a link has what was chosen', () => {
  const wanted = {
    channels: [metro, { publisherSlug: 'paroquia', slug: 'avisos' }],
    language: 'en',
    large: true,
  } as const
  expect(searchOfSetup({ ...wanted, channels: [...wanted.channels] })).toEqual({
    channels: 'metro/linhas,paroquia/avisos',
    language: 'en',
    text: 'large',
  })
  expect(parseSetup(searchOfSetup({ ...wanted, channels: [...wanted.channels] }))).toEqual(wanted)
})

it('what is no part of a link is left out', () => {
  expect(parseSetup({ channels: 'metro/linhas,javascript:x,/,a/b/c', language: 'toString', text: 'huge' })).toEqual({
    channels: [metro],
    language: undefined,
    large: false,
  })
  expect(parseSetup({ channels: Array.from({ length: 12 }, (_, at) => `a/c${at}`).join() }).channels).toHaveLength(10)
  expect(parseSetup({ channels: 7 }).channels).toEqual([])
})
