import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sininho, bin, freePort, ready } from './sininho.ts'

/**
 * A new installation on a bare machine: `init`, and `serve` with a PostgreSQL of its own. No setting of Google, Firebase
 * or PostHog is set. Only mail and pushes go to the stand-ins of a development server.
 */
export class Bare {
  readonly url: string
  readonly #folder: string
  readonly #standIns: Record<string, string>
  #process: ChildProcess | undefined

  private constructor(url: string, folder: string, standIns: Record<string, string>) {
    this.url = url
    this.#folder = folder
    this.#standIns = standIns
  }

  static async start({ smtpUrl, pushUrl }: Sininho): Promise<Bare> {
    const folder = await mkdtemp(join(tmpdir(), 'sininho-bare-'))
    const url = `http://127.0.0.1:${await freePort()}`
    const flags = { url, data: join(folder, 'data'), 'env-file': join(folder, 'sininho.env'), 'sign-in': 'email' }
    const mail = { smtp: smtpUrl, 'mail-from': 'Sininho <sininho@example.com>', push: 'webpush' }
    const args = Object.entries({ ...flags, ...mail }).flatMap(([name, value]) => [`--${name}`, value])
    execFileSync(join(bin, 'sininho-server'), ['init', ...args])
    const bare = new Bare(url, folder, { WEB_PUSH_CHROME_URL: pushUrl, WEB_PUSH_NETWORKS: '127.0.0.0/8' })
    await bare.serve()
    return bare
  }

  async serve() {
    const logFile = join(this.#folder, 'server.log')
    const log = openSync(logFile, 'a')
    this.#process = spawn(join(bin, 'sininho-server'), ['serve', '--env-file', join(this.#folder, 'sininho.env')], {
      env: { PATH: process.env.PATH, ...this.#standIns },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    try {
      await ready(`${this.url}/readyz`, this.#process)
    } catch (error) {
      throw new Error(`${String(error)}\n${readFileSync(logFile, 'utf8')}`, { cause: error })
    }
  }

  /** Ends the server as `kill -9` does, or as an operator does. */
  async end(signal: 'SIGKILL' | 'SIGTERM') {
    const ended = new Promise((resolve) => this.#process!.once('exit', resolve))
    this.#process!.kill(signal)
    await ended
  }

  /** Publishes by the command line. */
  publish(key: string, channel: string, title: string) {
    const env = { ...process.env, SININHO_URL: this.url, SININHO_API_KEY: key }
    execFileSync(join(bin, 'sininho'), ['publish', channel, '--title', title], { env })
  }

  async stop() {
    await this.end('SIGTERM')
    await rm(this.#folder, { recursive: true, force: true })
  }
}
