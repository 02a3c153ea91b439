import { expect, it } from 'vitest'
import { clickTarget, pushData, pushedData, revisionOf } from './message'

const origin = 'https://sininho.example'

it.each([
  ['a link on our own origin', { id: 'n1', link: `${origin}/channels/a/b` }, `${origin}/channels/a/b`],
  ['a path', { id: 'n1', link: '/demo' }, `${origin}/demo`],
  ['a foreign link', { id: 'n1', link: 'https://elsewhere.example/x' }, `${origin}/feed?notification=n1`],
  [
    'an address that only looks like ours',
    { id: 'n1', link: `${origin}.evil.example` },
    `${origin}/feed?notification=n1`,
  ],
  ['a script', { id: 'n1', link: 'javascript:alert(1)' }, `${origin}/feed?notification=n1`],
  ['no link', { id: 'a b' }, `${origin}/feed?notification=a%20b`],
  ['nothing', {}, `${origin}/feed`],
])('%s leads to %j: %s', (_what, data, target) => expect(clickTarget(data, origin)).toBe(target))

it('takes nothing but texts from outside', () => {
  expect(pushData({ id: 'n1', link: 7, channel: '', more: 'x' })).toEqual({ id: 'n1', revisedAt: 0 })
  expect(pushData(null)).toEqual({ revisedAt: 0 })
  expect(pushData('text')).toEqual({ revisedAt: 0 })
})

it('finds the data of what is shown, by whomever', () => {
  expect(pushedData({ FCM_MSG: { data: { id: 'n1' } } })).toEqual({ id: 'n1', revisedAt: 0 })
  expect(pushedData({ id: 'n1', revisedAt: 7 })).toEqual({ id: 'n1', revisedAt: 7 })
  expect(pushedData({ FCM_MSG: null })).toEqual({ revisedAt: 0 })
})

it('tells revisions from pushes', () => {
  expect(revisionOf({ id: 'n1', revision: 'corrected', revisedAt: '7', title: 'Olá', link: '/demo' })).toEqual({
    revision: 'corrected',
    id: 'n1',
    title: 'Olá',
    data: { id: 'n1', link: '/demo', revisedAt: 7 },
  })
  for (const other of [{ id: 'n1' }, { id: 'n1', revision: 'else' }, { revision: 'withdrawn' }, null])
    expect(revisionOf(other)).toBeUndefined()
})
