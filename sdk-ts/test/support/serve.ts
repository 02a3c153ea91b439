import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { freePort } from './port.js'

/** Directory of the binaries that `make build` built. */
const bin = process.env.SININHO_BIN ?? fileURLToPath(new URL('../../../bin', import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    /** Variables of the development server's dev.env: SININHO_URL, SININHO_API_KEY and the rest. */
    sininho: Record<string, string>
  }
}

/** Starts one `bin/sininho-server dev` with its own database for all tests that need a server. */
export default async function serve(project: TestProject) {
  const server = join(bin, 'sininho-server')
  if (!existsSync(server)) throw new Error(`There is no ${server}: run 'make build'.`)
  const folder = await mkdtemp(join(tmpdir(), 'sininho-sdk-'))
  const log = join(folder, 'server.log')
  const output = openSync(log, 'w')
  const address = `127.0.0.1:${await freePort()}`
  const args = ['dev', '--addr', address, '--data', join(folder, 'data'), '--limits', 'off']
  const running = spawn(server, args, { stdio: ['ignore', output, output] })
  closeSync(output)
  const stop = async () => {
    await ended(running)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await ready(`http://${address}/readyz`, running)
    project.provide('sininho', readEnv(join(folder, 'data', 'dev.env')))
  } catch (error) {
    const said = readFileSync(log, 'utf8')
    await stop()
    throw new Error(`${String(error)}\n${said}`, { cause: error })
  }
  return stop
}

async function ready(url: string, running: ChildProcess) {
  const until = Date.now() + 240_000
  while (Date.now() < until) {
    if (running.exitCode !== null) throw new Error(`the server ended with ${running.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} was not ready within four minutes`)
}

async function ended(running: ChildProcess) {
  if (running.exitCode !== null) return
  const exit = new Promise((resolve) => running.once('exit', resolve))
  running.kill('SIGTERM')
  await exit
}

/** Reads lines of the form NAME='value'. */
function readEnv(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8').matchAll(/^(\w+)='(.*)'$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}
