import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bin, freePort } from './sininho.ts'

/**
 * Starts the notification service of the D-Bus session, if there is a session. All workers share it, because a session
 * can have only one. Chromium looks for it only at its start, so it is started before everything else.
 */
export default async function setup() {
  const binary = join(bin, 'notifyd')
  if (!process.env.DBUS_SESSION_BUS_ADDRESS || !existsSync(binary)) return undefined
  const address = `127.0.0.1:${await freePort()}`
  const daemon = spawn(binary, [address], { stdio: 'inherit' })
  process.env.NOTIFYD_URL = `http://${address}`
  for (let tries = 0; ; tries++) {
    const response = await fetch(`${process.env.NOTIFYD_URL}/notes`).catch(() => undefined)
    if (response?.ok) break
    if (tries > 2000 || daemon.exitCode !== null) throw new Error('bin/notifyd did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return () => void daemon.kill('SIGTERM')
}
