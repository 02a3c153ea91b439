/** Milliseconds in which displays are gathered: a device that was offline gets several pushes at once. */
const gathered = 2000
const most = 30 // that a request may report

let waiting: { ids: Set<string>; sent: Promise<void> } | undefined

/**
 * Reports to the server that a notification was displayed, in one request with those that are displayed soon after it.
 * The promise ends when it has been sent: a worker must wait for it, or it may be stopped before. A failure only makes
 * the statistics less exact.
 */
export function reportDisplayed(id: string, api: string): Promise<void> {
  if (!waiting || waiting.ids.size === most) {
    const ids = new Set<string>()
    const sent = new Promise((resolve) => setTimeout(resolve, gathered)).then(() => {
      if (waiting?.ids === ids) waiting = undefined
      return send([...ids], api)
    })
    waiting = { ids, sent }
  }
  waiting.ids.add(id)
  return waiting.sent
}

async function send(notificationIds: string[], api: string) {
  await fetch(`${api}/subscribers/notifications/displayed`, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ notificationIds }),
  }).catch(() => undefined)
}
