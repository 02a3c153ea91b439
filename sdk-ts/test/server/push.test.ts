import { createECDH, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { decrypt } from 'http_ece'
import { expect, inject, it } from 'vitest'
import { createMainClient, unwrap } from '../../src/index.js'
import { accessToken } from '../support/person.js'

const { SININHO_URL: url = '' } = inject('sininho')
const baseUrl = `${url}/api/v1`

type Push = { headers: IncomingHttpHeaders; body: Buffer }

/** A push service that accepts everything. */
async function pushService() {
  const pushes: Push[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      pushes.push({ headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(201).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, pushes, close: () => server.close() }
}

/** Reads the key that browsers subscribe with. */
async function applicationServerKey() {
  const config = await (await fetch(`${url}/config.js`)).text()
  return /"WEB_PUSH_PUBLIC_KEY": "([^"]+)"/.exec(config)?.[1] ?? ''
}

const json = (base64url: string) => JSON.parse(Buffer.from(base64url, 'base64url').toString()) as unknown

it('an independent implementation reads what is pushed, and knows who has sent it', async () => {
  const service = await pushService()
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  const person = createMainClient({ baseUrl, apiKey: await accessToken(baseUrl, `push-${randomUUID()}@example.com`) })
  try {
    const device = await unwrap(
      person.POST('/subscribers/devices', {
        body: {
          installationId: randomUUID(),
          kind: 'webpush',
          endpoint: `${service.origin}/up/1`,
          keys: { p256dh: browser.getPublicKey('base64url'), auth },
          platform: 'web',
          name: 'Independent',
        },
      }),
    )
    const params = { path: { id: device.id } }
    expect(await unwrap(person.POST('/subscribers/devices/{id}/test', { params }))).toEqual({ outcome: 'accepted' })
  } finally {
    service.close()
  }
  const read = ({ body }: Push) =>
    JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: auth }).toString()) as {
      notification: { title: string }
    }
  // the other one tells that the device rings
  const tests = service.pushes.filter((each) => read(each).notification.title === 'Sininho')
  expect(tests).toHaveLength(1)
  const { headers } = tests[0]!
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
  expect(Number(headers.ttl)).toBeGreaterThan(3500)

  expect(read(tests[0]!)).toMatchObject({ web_push: 8030 })

  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? []
  expect(key).toBe(await applicationServerKey())
  const [header = '', claims = '', signature = ''] = token.split('.')
  expect(json(claims)).toMatchObject({ aud: service.origin, sub: expect.stringMatching(/^(mailto|https):/) })
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const sealed = Buffer.from(signature, 'base64url')
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, sealed)).toBe(true)
})
