import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { bin } from './sininho.ts'

const binary = join(bin, 'notifyd')

export type Note = { id: number; summary: string; body: string; closed: boolean }

/** A desktop's notification service on this D-Bus session: it keeps what the system was shown, and clicks it. */
export class Notifyd {
  readonly #process: ChildProcess
  readonly #url: string

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.#url = url
  }

  /** Why it cannot run here, if it cannot. */
  static missing(): string | undefined {
    if (!process.env.DBUS_SESSION_BUS_ADDRESS) return 'needs a D-Bus session: run by `make e2e`'
    return existsSync(binary) ? undefined : 'needs bin/notifyd: run by `make e2e`'
  }

  static async start(): Promise<Notifyd> {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as AddressInfo
        probe.close(() => resolve(port))
      })
    })
    const address = `127.0.0.1:${port}`
    const daemon = new Notifyd(spawn(binary, [address], { stdio: 'inherit' }), `http://${address}`)
    await expect
      .poll(() =>
        daemon.notes().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    return daemon
  }

  stop() {
    this.#process.kill('SIGTERM')
  }

  async notes(): Promise<Note[]> {
    return ((await (await fetch(`${this.#url}/notes`)).json()) as Note[] | null) ?? []
  }

  /** What the system shows with this title; waits for it. */
  async shown(title: string): Promise<Note> {
    const find = async () => (await this.notes()).filter(({ summary, closed }) => summary === title && !closed)
    await expect.poll(find, { timeout: 15_000 }).toHaveLength(1)
    return (await find())[0]!
  }

  async click({ id }: Note) {
    await fetch(`${this.#url}/invoke/${id}/default`, { method: 'POST' })
  }
}
