import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createMainClient, unwrap } from '../../src/index.js'
import { accessToken } from '../support/person.js'
import { freePort } from '../support/port.js'
import { Project, snippets } from '../support/readme.js'

const sininho = inject('sininho')
const baseUrl = `${sininho.SININHO_URL}/api/v1`
const client = createMainClient({ baseUrl, apiKey: sininho.SININHO_API_KEY })

let project: Project
const code = await snippets('ts')
const tried = new Set<string>()
beforeAll(async () => void (project = await Project.create()))
afterAll(() => project.remove())

async function start(heading: string, env: Record<string, string> = {}) {
  const snippet = code.get(heading)
  if (!snippet) throw new Error(`the README has no snippet under ${heading}`)
  tried.add(heading)
  return project.start(snippet, { ...sininho, ...env })
}

/** Runs a snippet, which must exit with 0, and returns the lines that it printed. */
async function outputOf(heading: string, env: Record<string, string> = {}): Promise<string[]> {
  const { output, ended } = await start(heading, env)
  expect(await ended, output.err).toBe(0)
  expect(output.err).toBe('')
  return output.out.trimEnd().split('\n')
}

it('Install names the package', async () => {
  const { name } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    name: string
  }
  expect([...(await snippets('sh')).values()]).toEqual([`npm install ${name}\n`])
})

it.each([
  ['Node alone', ['es2023']],
  ['Node and the DOM', ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable']],
])('every snippet has the right types, with the types of %s', async (_what, lib) => {
  expect(await project.faults(code, lib)).toEqual([])
})

it('Publish and Read', async () => {
  const [id] = await outputOf('Publish')
  const params = { path: { publisherSlug: 'demo', channelSlug: 'novidades', id: id ?? '' } }
  const { data: published } = await client.GET('/channels/{publisherSlug}/{channelSlug}/notifications/{id}', { params })
  expect(published?.externalId).toBe('deploy-1842')
  expect(await outputOf('Publish')).toEqual([id])
  expect(await outputOf('Read')).toContain(`${published?.publishedAt} ${published?.title}`)
})

it('Everything else calls by a path of the contract', async () => {
  expect(await outputOf('Everything else')).toEqual(['Novidades'])
})

it('Stream prints events, and ends', async () => {
  const { output, stop } = await start('Stream')
  await expect.poll(() => output.out, { timeout: 60_000 }).toBe('listening\n')
  await unwrap(
    client.POST('/channels/{publisherSlug}/{channelSlug}/notifications', {
      params: { path: { publisherSlug: 'demo', channelSlug: 'novidades' } },
      body: { title: 'Ao vivo' },
    }),
  )
  await expect.poll(() => output.out, { timeout: 60_000 }).toMatch(/^listening\n\d+ Ao vivo\n$/)
  expect(await stop()).toBe(0)
  expect(output.err).toBe('')
})

it('Verify webhooks accepts the server’s signatures, with either secret, and nothing else', async () => {
  const address = `http://127.0.0.1:${await freePort()}`
  const endpoint = await eventEndpoint(address)
  const [other = '', forged = ''] = [1, 2].map((n) => `whsec_${Buffer.alloc(32, n).toString('base64')}`)
  const secrets = `${other} ${endpoint.secret}`
  const { output, stop } = await start('Verify webhooks', { PORT: new URL(address).port, WEBHOOK_SECRETS: secrets })
  await expect.poll(() => post(address, other).catch(() => 0), { timeout: 60_000 }).toBe(204)
  expect(await post(address, forged)).toBe(401)
  expect(output.out).toBe("evt_1 channel.subscribers { channel: 'demo/novidades' }\n")
  expect(await endpoint.challenge()).toMatchObject({ confirmed: true })
  await endpoint.test()
  await expect.poll(() => output.out.split('\n')[1], { timeout: 60_000 }).toMatch(/^\S+ test \{/)
  expect(output.err).toBe('')
  await stop()
})

/** Creates an event endpoint of a new publisher. */
async function eventEndpoint(url: string) {
  const publisherSlug = `p-${randomUUID()}`
  const person = createMainClient({ baseUrl, apiKey: await accessToken(baseUrl, `${publisherSlug}@example.com`) })
  await unwrap(person.POST('/publishers', { body: { slug: publisherSlug, name: 'Ensaio' } }))
  const endpoints = '/publishers/{publisherSlug}/event-endpoints'
  const { id, secret } = await unwrap(
    person.POST(endpoints, { params: { path: { publisherSlug } }, body: { url, name: 'Ensaio' } }),
  )
  const params = { path: { publisherSlug, id } }
  const challenge = () => unwrap(person.POST(`${endpoints}/{id}/challenge`, { params }))
  const test = () => unwrap(person.POST(`${endpoints}/{id}/test`, { params }))
  return { secret, challenge, test }
}

/** Posts an event signed with the secret and returns the status. */
async function post(address: string, secret: string): Promise<number> {
  const body = JSON.stringify({ type: 'channel.subscribers', data: { channel: 'demo/novidades' } })
  const seconds = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.slice(6), 'base64')
  const signature = createHmac('sha256', key).update(`evt_1.${seconds}.${body}`).digest('base64')
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${seconds}`, 'webhook-signature': `v1,${signature}` }
  return (await fetch(address, { method: 'POST', body, headers })).status
}

it('Waiting list invites', async () => {
  const OPERATOR_TOKEN = await accessToken(baseUrl, 'operador@example.com')
  expect(await outputOf('Waiting list', { OPERATOR_TOKEN })).toEqual(['ana@example.com invited'])
})

it('Errors reports every fault', async () => {
  const [summary, ...faults] = await outputOf('Errors')
  const last = faults.pop()
  expect(summary).toMatch(/^422 invalid O pedido/)
  expect(faults.toSorted()).toEqual([
    expect.stringMatching(/^#\/link link \S/),
    expect.stringMatching(/^#\/title too_short \S/),
  ])
  expect(last).toBe('true undefined')
})

it('no snippet was left untried', () => {
  expect([...tried].sort()).toEqual([...code.keys()].sort())
})
