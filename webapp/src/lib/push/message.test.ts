import { expect, it } from 'vitest'
import { clickTarget, isNotification, pushData, pushOf, revisionOf } from './message'

const origin = 'https://sininho.example'
const channel = 'metro/linhas'

it.each([
  ['a link on our own origin', { id: 'n1', channel, link: `${origin}/channels/a/b` }, `${origin}/channels/a/b`],
  ['a path', { id: 'n1', channel, link: '/channels' }, `${origin}/channels`],
  [
    'a page that acts for the reader',
    { id: 'n1', channel, link: '/login/device?code=BCDF-GHJK' },
    `${origin}/feed?notification=n1`,
  ],
  ['the API', { id: 'n1', channel, link: `${origin}/api/v1/auth/google` }, `${origin}/feed?notification=n1`],
  ['a link elsewhere', { id: 'n1', channel, link: 'https://elsewhere.example/x' }, 'https://elsewhere.example/x'],
  [
    'our name in another spelling',
    { id: 'n1', channel, link: `${origin}./settings` },
    `${origin}/feed?notification=n1`,
  ],
  ['a page on a home network', { id: 'n1', channel, link: 'http://nas.local:8080/x' }, 'http://nas.local:8080/x'],
  ['an email', { id: 'n1', channel, link: 'mailto:ana@example.com' }, `${origin}/feed?notification=n1`],
  ['no web page', { id: 'n1', channel, link: 'ftp://elsewhere.example/x' }, `${origin}/feed?notification=n1`],
  ['a script', { id: 'n1', channel, link: 'javascript:alert(1)' }, `${origin}/feed?notification=n1`],
  ['no link', { id: 'a b', channel }, `${origin}/feed?notification=a%20b`],
  ['a test, of no channel', { id: 't1' }, `${origin}/feed`],
  ['nothing', {}, `${origin}/feed`],
])('%s leads to %j: %s', (_what, data, target) => expect(clickTarget(data, origin)).toBe(target))

it.each([
  ['a notification', { tag: 'n1', data: { id: 'n1', channel } }, true],
  ['a summary', { tag: 'summary-n1', data: { id: 'n1', channel } }, false],
  ['a test, of no channel', { tag: 't1', data: { id: 't1' } }, false],
  ['nothing', { tag: '', data: null }, false],
])('knows whether a system notification is one of the feed: %s', (_what, shown, is) =>
  expect(isNotification(shown)).toBe(is),
)

it('takes nothing but texts from outside', () => {
  expect(pushData({ id: 'n1', link: 7, channel: '', more: 'x' })).toEqual({ id: 'n1', revisedAt: 0 })
  expect(pushData(null)).toEqual({ revisedAt: 0 })
  expect(pushData('text')).toEqual({ revisedAt: 0 })
})

it('shows the text of the notification, otherwise of the data, otherwise our own', () => {
  const ours = { title: 'Sininho', body: 'Algo novo.' }
  const data = { id: 'n1', title: 'Dos dados', body: 'Texto', icon: '/d.png' }
  expect(pushOf({ notification: { title: 'Olá', tag: 'resumo' }, data }, ours)).toMatchObject({
    title: 'Olá',
    icon: '/d.png',
    tag: 'resumo',
    data: { id: 'n1' },
  })
  expect(pushOf({ data }, ours)).toMatchObject({ title: 'Dos dados', body: 'Texto', tag: 'n1' })
  for (const nothing of [undefined, null, 'text', { notification: { title: 7, body: 'Texto' } }])
    expect(pushOf(nothing, ours)).toMatchObject({ ...ours, tag: 'sininho' })
})

it('distinguishes revisions from pushes', () => {
  expect(
    revisionOf({
      data: { id: 'n1', revision: 'corrected', revisedAt: '7', title: 'Olá', link: '/demo', importance: 'important' },
    }),
  ).toEqual({
    revision: 'corrected',
    id: 'n1',
    title: 'Olá',
    lang: 'pt-PT',
    dir: 'auto',
    requireInteraction: true,
    data: { id: 'n1', link: '/demo', revisedAt: 7 },
  })
  for (const other of [{ id: 'n1' }, { id: 'n1', revision: 'else' }, { revision: 'withdrawn' }, null])
    expect(revisionOf({ data: other })).toBeUndefined()
})
