import { expect, it } from 'vitest'
import { parseChannel, safeLink, safePath } from './paths'

it.each([
  ['/feed', '/feed'],
  ['/feed?channel=a%2Fb#x', '/feed?channel=a%2Fb#x'],
  ['/', '/'],
  ['//evil.example', '/safe'],
  ['/\\evil.example', '/safe'],
  ['/\t/evil.example', '/safe'],
  ['/\n/evil.example', '/safe'],
  ['/\r\\evil.example', '/safe'],
  ['/feed\n', '/safe'],
  ['https://evil.example', '/safe'],
  ['feed', '/safe'],
  ['', '/safe'],
  [undefined, '/safe'],
])('%j goes back to %s', (path, target) => expect(safePath(path, '/safe')).toBe(target))

it.each(['javascript:alert(1)', 'data:text/html,x', '/feed', 'nonsense', '', undefined])(
  '%j is no link to open',
  (link) => expect(safeLink(link)).toBeUndefined(),
)

it.each([
  ['demo/novidades', { publisherSlug: 'demo', slug: 'novidades' }],
  ['demo', undefined],
  ['demo/novidades/x', undefined],
  ['Demo/Novidades', undefined],
  ['../x', undefined],
  [7, undefined],
])('%j is the channel %j', (text, channel) => expect(parseChannel(text)).toEqual(channel))
