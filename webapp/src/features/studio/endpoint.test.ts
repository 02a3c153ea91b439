import { expect, it } from 'vitest'
import { responseOf, stateOf } from './endpoint'

const endpoint = {
  id: '1',
  name: 'Painel',
  url: 'https://example.com',
  events: [],
  enabled: true,
  createdAt: '2026-03-01T12:00:00Z',
}
const then = '2026-03-01T12:00:00Z'

it('says first what keeps an endpoint from getting anything', () => {
  expect(stateOf(endpoint)).toBe('unconfirmed')
  expect(stateOf({ ...endpoint, enabled: false })).toBe('off')
  expect(stateOf({ ...endpoint, confirmedAt: then, enabled: false, failingSince: then })).toBe('off')
  expect(stateOf({ ...endpoint, confirmedAt: then, failingSince: then })).toBe('failing')
  expect(stateOf({ ...endpoint, confirmedAt: then })).toBe('on')
})

it('says how a receiver responded, in words', () => {
  expect(responseOf({ status: 503 })).toBe('respondeu 503')
  expect(responseOf({ error: 'it refuses connections' })).toBe('recusa ligações')
  expect(responseOf({ status: 200, error: 'it is new' })).toBe('it is new')
  expect(responseOf({})).toBe('sem resposta')
})
