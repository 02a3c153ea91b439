import { expect, it } from 'vitest'
import { linkTarget, parseChannel, safeLink, safePath, websiteOf, whereTo } from './paths'

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

it.each(['https://nas.local', 'http://nas.local:8080/a', 'mailto:ana@example.com', 'tel:+351210000000'])(
  '%j is a link to open',
  (link) => expect(safeLink(link)?.href).toBeTruthy(),
)

it('opens the schemes that the server allows, and never a script', () => {
  const given = globalThis as { SININHO_ENV?: object }
  const before = given.SININHO_ENV
  expect(safeLink('ssh://nas.local')).toBeUndefined()
  given.SININHO_ENV = { LINK_SCHEMES: 'ssh,javascript,data' }
  expect(safeLink('ssh://nas.local')?.host).toBe('nas.local')
  expect(safeLink('javascript:alert(1)')).toBeUndefined()
  expect(safeLink('data:text/html,x')).toBeUndefined()
  given.SININHO_ENV = before
})

it.each([
  ['https://www.metro.example/linhas', 'metro.example'],
  ['http://nas.local:8080/', 'nas.local:8080'],
  ['mailto:ana%2Bx@example.com?subject=x', 'ana+x@example.com'],
  ['tel:+351210000000', '+351210000000'],
])('%s leads to %s', (link, target) => expect(whereTo(new URL(link))).toBe(target))

it.each([
  ['https://www.metro.example/linhas', 'www.metro.example'],
  ['http://metro.example', undefined],
  ['javascript:alert(1)', undefined],
  [undefined, undefined],
])('of the website %j, %s is opened', (website, host) => expect(websiteOf({ website })?.host).toBe(host))

const own = 'https://sininho.example'
const local = 'http://localhost:8080'

it.each([
  ['https://example.com/login/device', own, 'elsewhere'],
  [`${own}.evil.example/login/device`, own, 'elsewhere'],
  [`${own}/feed`, own, 'page'],
  [`${own}/feed?notification=n1`, own, 'page'],
  [`${own}/channels`, own, 'page'],
  [`${own}/channels/metro`, own, 'page'],
  [`${own}:443/channels/metro/linha-azul#x`, own, 'page'],
  ['HTTPS://SININHO.example/channels/metro/linhas', own, 'page'],
  [own, own, 'refused'],
  [`${own}/login/device?code=BCDF-GHJK`, own, 'refused'],
  [`${own}/api/v1/auth/google`, own, 'refused'],
  [`${own}/settings`, own, 'refused'],
  [`${own}/feed/`, own, 'refused'],
  [`${own}/channels/metro/`, own, 'refused'],
  [`${own}/channels/-`, own, 'refused'],
  [`${own}/channels/../login/device`, own, 'refused'],
  [`${own}/channels/%2e%2e/login/device`, own, 'refused'],
  [`${own}/channels/..%2f..%2flogin/device`, own, 'refused'],
  [`${own}/%6cogin/device`, own, 'refused'],
  [`${own}//login/device`, own, 'refused'],
  [`${own}:0443/login/device`, own, 'refused'],
  [`${own}:8443/feed`, own, 'refused'],
  [`${own}./login/device`, own, 'refused'],
  ['https://ana:x@sininho.example/feed', own, 'refused'],
  ['http://sininho.example/feed', own, 'refused'],
  ['https://ｓininho.example/login/device', own, 'refused'],
  ['https://sininho。example/login/device', own, 'refused'],
  ['https://%73ininho.example/login/device', own, 'refused'],
  ['https:\\\\sininho.example\\login\\device', own, 'refused'],
  ['https:sininho.example/login/device', own, 'refused'],
  ['//sininho.example/login/device', own, 'refused'],
  ['/login/device', own, 'refused'],
  [`${local}/feed`, local, 'page'],
  [`${local}/login/device`, local, 'refused'],
  ['http://LOCALHOST.:8080/login/device', local, 'refused'],
  ['http://127.1:8080/feed', local, 'refused'],
  ['http://2130706433:8080/login/device', local, 'refused'],
  ['http://[::1]:8080/login/device', local, 'refused'],
  ['http://[::ffff:127.0.0.1]:8080/login/device', local, 'refused'],
  ['http://localhost:3000/login/device', local, 'elsewhere'],
])('%j on %s is %s', (link, origin, target) => expect(linkTarget(new URL(link, origin), origin)).toBe(target))

it.each([
  ['demo/novidades', { publisherSlug: 'demo', slug: 'novidades' }],
  ['demo', undefined],
  ['demo/novidades/x', undefined],
  ['Demo/Novidades', undefined],
  ['../x', undefined],
  [7, undefined],
])('%j is the channel %j', (text, channel) => expect(parseChannel(text)).toEqual(channel))
