import { workerWords } from '../../i18n/words'
import { type PushData, isNotification } from './message'

/** The buttons of a system notification. */
const actions = [
  { action: 'archive', title: workerWords.archive },
  { action: 'mute', title: workerWords.mute },
] as const

const muteTime = 60 * 60 * 1000

/** Milliseconds. Soon after a click the browser no longer lets the worker open a page instead. */
const limit = 4000

/** Returns the options for the buttons, where the browser shows any. A test or a summary has none. */
export function actionsOf(options: { tag: string; data: PushData }): object {
  // TypeScript does not know it
  const { maxActions = 0 } = (globalThis.Notification ?? {}) as { maxActions?: number }
  if (maxActions === 0 || !options.data.channelId || !isNotification(options)) return {}
  return { actions: actions.slice(0, maxActions) }
}

/** Carries out a button, and reports whether the server has accepted it. */
export async function carryOut(action: string, { id, channelId }: PushData, api: string): Promise<boolean> {
  if (action === 'archive' && id)
    return patch(`${api}/subscribers/notifications/${encodeURIComponent(id)}`, { archived: true })
  if (action !== 'mute' || !channelId) return false
  const mutedUntil = new Date(Date.now() + muteTime).toISOString()
  return patch(`${api}/subscribers/channels/${encodeURIComponent(channelId)}`, { mutedUntil })
}

async function patch(url: string, body: object): Promise<boolean> {
  try {
    const { ok } = await fetch(url, {
      method: 'PATCH',
      credentials: 'include',
      signal: AbortSignal.timeout(limit),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ok
  } catch {
    return false
  }
}
