import { api, call } from '../lib/api'

/** Milliseconds by which the server's clock is ahead of this device's, as far as is known. */
let ahead = 0

/** The server's time, as far as is known, in milliseconds. */
export const serverTime = () => Date.now() + ahead

/** Asks for the server's time, in milliseconds. It is late by less than a second, because HTTP dates have no fractions. */
export async function askServerTime(): Promise<number> {
  const request = api().GET('/auth', { cache: 'no-store' })
  await call(request)
  const time = Date.parse((await request).response.headers.get('Date') ?? '')
  if (!Number.isNaN(time)) ahead = time - Date.now()
  return serverTime()
}
