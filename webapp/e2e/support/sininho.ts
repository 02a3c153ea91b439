import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type APIRequestContext, request } from '@playwright/test'
import { type Person, personOf } from './people.ts'

/** Directory of the binaries that `make build` built. */
export const bin = process.env.SININHO_BIN ?? join(import.meta.dirname, '../../../bin')
const run = promisify(execFile)

/** A `bin/sininho-server dev` on a free port with its own database. */
export class Sininho {
  readonly url: string
  readonly fcmUrl: string
  readonly mailUrl: string
  readonly posthogUrl: string
  readonly pushUrl: string
  readonly smtpUrl: string
  /** Chromium flags that direct it to the push service's stand-in. */
  readonly pushFlags: string[]
  readonly #process: ChildProcess
  readonly #folder: string
  readonly apiKey: string
  #people = 0
  readonly #slugs = new Map<string, number>()

  private constructor(process: ChildProcess, folder: string, env: Record<string, string>) {
    this.#process = process
    this.#folder = folder
    this.apiKey = need(env, 'SININHO_API_KEY')
    this.url = need(env, 'SININHO_URL')
    this.fcmUrl = need(env, 'STANDIN_FCM_URL')
    this.mailUrl = need(env, 'STANDIN_MAIL_URL')
    this.posthogUrl = need(env, 'STANDIN_POSTHOG_URL')
    this.pushUrl = need(env, 'STANDIN_PUSH_URL')
    this.smtpUrl = need(env, 'STANDIN_SMTP_URL')
    this.pushFlags = need(env, 'STANDIN_PUSH_FLAGS').split(' ')
  }

  /** Starts a server. The settings override those of the development server. */
  static async start(settings: Record<string, string> = {}): Promise<Sininho> {
    const folder = await mkdtemp(join(tmpdir(), 'sininho-e2e-'))
    // browsers make no passkeys for an IP address
    const host = settings.SIGN_IN?.includes('passkey') ? 'localhost' : '127.0.0.1'
    const address = `${host}:${await freePort()}`
    const logFile = join(folder, 'server.log')
    const log = openSync(logFile, 'w')
    const args = ['dev', '--addr', address, '--data', join(folder, 'data'), '--limits', 'off']
    const env = { ...process.env, ...settings }
    const server = spawn(join(bin, 'sininho-server'), args, { env, stdio: ['ignore', log, log] })
    closeSync(log)
    try {
      await ready(`http://${address}/readyz`, server)
      return new Sininho(server, folder, readEnv(join(folder, 'data', 'dev.env')))
    } catch (error) {
      server.kill('SIGKILL')
      throw new Error(`${String(error)}\n${readFileSync(logFile, 'utf8')}`, { cause: error })
    }
  }

  /** Returns a person of whom this server has not heard. */
  person(): Person {
    return personOf(this.#people++)
  }

  /** Returns what the server's log has for a pattern. */
  logged(pattern: RegExp): string | undefined {
    return pattern.exec(readFileSync(join(this.#folder, 'server.log'), 'utf8'))?.[0]
  }

  /** Returns a slug that begins with the given one and that nothing has on this server. */
  slug(base: string): string {
    const count = (this.#slugs.get(base) ?? 0) + 1
    this.#slugs.set(base, count)
    return count === 1 ? base : `${base}-${count}`
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM')
      await ended
    }
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Publishes as the demo publisher, by the command line, and returns the notification's id. */
  async publish(title: string, { channel = 'demo/novidades', body = '', more = [] as string[] } = {}): Promise<string> {
    const out = await this.command('publish', channel, '--title', title, '--body', body, ...more, '--json')
    return (JSON.parse(out) as { id: string }).id
  }

  /** Creates an unlisted channel of the demo publisher, and returns its address. */
  async createChannel(slug: string): Promise<string> {
    const address = `demo/${slug}`
    await this.command('channels', 'create', address, '--name', slug, '--category', 'cidade', '--unlisted')
    return address
  }

  /** Creates an unlisted channel of the demo publisher with a face, and returns its address. */
  async addChannel(channel: { slug: string; name: string; icon?: string; categoryId: string }): Promise<string> {
    await this.#post('channels', { ...channel, publisherSlug: 'demo', visibility: 'unlisted' })
    return `demo/${channel.slug}`
  }

  /** Publishes many notifications at once, as the demo publisher. */
  async publishAll(address: string, notifications: Published[]) {
    await this.#post(`channels/${address}/notifications/batch`, { notifications })
  }

  /** Calls the API as the demo publisher. */
  async #post(path: string, body: object) {
    const response = await fetch(`${this.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }

  /** Makes Firebase's stand-in fail every push; server/lab/standin/README.md lists the faults. */
  async breakFcm(fault: Record<string, unknown>) {
    const response = await fetch(`${this.fcmUrl}/faults`, { method: 'POST', body: JSON.stringify(fault) })
    if (!response.ok) throw new Error(await response.text())
  }

  async mendFcm() {
    await fetch(`${this.fcmUrl}/faults`, { method: 'DELETE' })
  }

  /** Runs the command line as the demo publisher. */
  command(...args: string[]): Promise<string> {
    return this.commandAs(this.apiKey, ...args)
  }

  /** Runs the command line with the given API key or access token. */
  async commandAs(key: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, SININHO_URL: this.url, SININHO_API_KEY: key }
    return (await run(join(bin, 'sininho'), args, { env })).stdout
  }

  /** Invites an address to be a member of a new publisher, by its own Rui Costa. Returns the publisher's slug. */
  async invite(
    email: string,
    { name = 'Rádio da Vila', role = 'editor', base = 'radio-da-vila' } = {},
  ): Promise<string> {
    const slug = this.slug(base)
    const owner = await request.newContext({ baseURL: this.url })
    await owner.get(`/api/v1/auth/google?login_hint=rui.costa@${slug}.example`)
    const description = 'Avisos da rádio da vila.'
    await owner.post('/api/v1/publishers', { data: { slug, name, description } })
    const made = await owner.post(`/api/v1/publishers/${slug}/invitations`, { data: { email, role } })
    if (made.status() !== 201) throw new Error(`invite ${email}: ${made.status()} ${await made.text()}`)
    await owner.dispose()
    return slug
  }

  /** Creates a channel of a new publisher of a new person, who gets one notification out. */
  async newChannel(): Promise<NewChannel> {
    const slug = this.slug('banco-da-praca')
    const owner = await request.newContext({ baseURL: this.url })
    const { email } = this.person()
    await owner.get(`/api/v1/auth/google?login_hint=${email}`)
    await owner.put('/api/v1/subscribers/onboarding', { data: { step: 'done' } })
    await owner.post('/api/v1/publishers', { data: { slug, name: 'Banco da Praça' } })
    const { data } = (await (await owner.get('/api/v1/categories')).json()) as { data: { id: string }[] }
    const channel = { publisherSlug: slug, slug: 'avisos', name: 'Avisos do Banco', categoryId: data[0]!.id }
    await owner.post('/api/v1/channels', { data: channel })
    const path = `/api/v1/channels/${slug}/avisos/notifications`
    const published = await owner.post(path, { data: { title: 'A sua conta foi bloqueada' } })
    if (published.status() !== 201) throw new Error(`publish: ${published.status()} ${await published.text()}`)
    const { id } = (await published.json()) as { id: string }
    await owner.dispose()
    return { address: `${slug}/avisos`, publisher: slug, owner: email, notification: id }
  }

  /** Creates a private channel of a new publisher, with one notification and an invitation. */
  async privateChannel({ approval = false } = {}): Promise<PrivateChannel> {
    const publisherSlug = this.slug('turnos')
    const owner = await request.newContext({ baseURL: `${this.url}/api/v1/` })
    const post = async (path: string, data: object) => {
      const made = await owner.post(path, { data })
      if (!made.ok()) throw new Error(`${path}: ${made.status()} ${await made.text()}`)
      return made
    }
    await owner.get(`auth/google?login_hint=${this.person().email}`)
    await post('publishers', { slug: publisherSlug, name: 'Hospital da Colina' })
    const { data } = (await (await owner.get('categories')).json()) as { data: { id: string }[] }
    const description = 'Trocas e avisos de quem está de serviço.'
    const channel = { publisherSlug, slug: 'noite', name: 'Turno da noite', description, visibility: 'private' }
    await post('channels', { ...channel, categoryId: data[0]!.id })
    const path = `channels/${publisherSlug}/noite`
    await post(`${path}/notifications`, { title: 'Troca de turno', body: 'A Rita fica até às oito.' })
    const { url } = (await (await post(`${path}/invitations`, { approval })).json()) as { url: string }
    return { owner, path, url }
  }

  /** Reports a new channel and its notification, as a new person. */
  async report({ address, notification }: NewChannel) {
    const reader = await request.newContext({ baseURL: this.url })
    await reader.get(`/api/v1/auth/google?login_hint=${this.person().email}`)
    for (const [path, data] of [
      ['', { category: 'impersonation', text: 'Não é o banco: o endereço é outro.' }],
      [`/notifications/${notification}`, { category: 'fraud', text: 'Pede o código do cartão.' }],
    ] as const) {
      const made = await reader.put(`/api/v1/channels/${address}${path}/report`, { data })
      if (made.status() !== 204) throw new Error(`report: ${made.status()} ${await made.text()}`)
    }
    await reader.dispose()
  }

  /** Waits for the next code that is sent to an address. */
  async code(to: string, after?: Email): Promise<string> {
    const { subject } = await this.mail(to, after)
    return /\d{4} \d{4}/.exec(subject)![0]
  }

  /** Waits for the next email to an address after `after`, and returns it from the stand-in mailbox. */
  async mail(to: string, after?: Email): Promise<Email> {
    const query = new URLSearchParams({ to, since: String(after?.seq ?? 0), wait: '60s' })
    const emails = (await (await fetch(`${this.mailUrl}/messages?${query}`)).json()) as Email[]
    if (!emails[0]) throw new Error(`no email arrived for ${to}`)
    return emails[0]
  }
}

type Published = {
  title: string
  body?: string
  image?: string
  link?: string
  importance?: 'important'
  expiresAt?: string
}

export type PrivateChannel = {
  /** Calls the API as the channel's owner. */
  owner: APIRequestContext
  path: string
  /** Of the invitation. */
  url: string
}

export type NewChannel = { address: string; publisher: string; owner: string; notification: string }

/** A received email. */
export type Email = { seq: number; subject: string; text: string }

/** Returns the links in an email. The first one is its purpose. */
export const links = ({ text }: Email): string[] => text.match(/https?:\/\/\S+/g) ?? []

/** Waits until a server is ready. */
export async function ready(url: string, process: ChildProcess) {
  const until = Date.now() + 240_000
  while (Date.now() < until) {
    if (process.exitCode !== null) throw new Error(`the server ended with ${process.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} was not ready within four minutes`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Reads lines of the form NAME='value', quoted for a shell. */
function readEnv(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=')
      return [
        name,
        value
          .join('=')
          .replace(/^'|'$/g, '')
          .replaceAll(String.raw`'\''`, "'"),
      ]
    }),
  )
}

function need(env: Record<string, string>, name: string): string {
  const value = env[name]
  if (value === undefined) throw new Error(`dev.env has no ${name}`)
  return value
}
