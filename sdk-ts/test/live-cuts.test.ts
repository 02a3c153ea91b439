import { describe, expect, it } from 'vitest'
import { streamFeed } from '../src/index.js'

/**
 * Serves one event stream. Cuts its first connections after a number of bytes; data that was not read by then is lost.
 * A request without Last-Event-ID receives only later events.
 */
class CutServer {
  /** The kept events, each as "id kind". */
  readonly log: string[] = []
  /** Resolves at the first cut. */
  readonly wasCut: Promise<void>

  #resolveCut!: () => void
  #publish: (text: string) => void = () => undefined

  constructor(
    readonly bytes: number,
    private cuts: number,
  ) {
    this.wasCut = new Promise((resolve) => (this.#resolveCut = resolve))
  }

  publish(...kinds: string[]) {
    for (const kind of kinds) {
      if (kind !== 'read') this.log.push(`${this.log.length + 1} ${kind}`)
      this.#publish(kind === 'read' ? 'event: read\ndata: {"channelId":"c"}\n\n' : this.#text(this.log.length - 1))
    }
  }

  #text(index: number) {
    const [id, kind] = this.log[index]!.split(' ')
    return `id: ${id}\nevent: ${kind}\ndata: {"id":"n${id}","title":"é"}\n\n`
  }

  fetch = async (request: Request) => {
    const from = Number(request.headers.get('Last-Event-ID') ?? this.log.length)
    const cutting = this.cuts-- > 0
    let left = cutting ? this.bytes : Infinity
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) })
    request.signal.addEventListener('abort', () => left > 0 && controller.error(request.signal.reason))
    this.#publish = (text) => {
      if (left <= 0) return
      const piece = new TextEncoder().encode(text).slice(0, left)
      left -= piece.length
      if (piece.length > 0) controller.enqueue(piece)
      if (left <= 0) void cut()
    }
    const cut = async () => {
      // gives a fast reader time to read the bytes sent so far
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      controller.error(new TypeError('terminated'))
      this.#resolveCut()
    }
    if (left <= 0) void cut()
    this.#publish(`retry: 1\nid: ${from}\n\n`)
    for (let index = from; index < this.log.length; index++) this.#publish(this.#text(index))
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }
}

async function follow(server: CutServer, slow: boolean) {
  const got: string[] = []
  let isRead = false
  let published = false
  let again = false
  const handle = () => (slow ? server.wasCut : Promise.resolve())
  const onRetry = () => {
    if (published && server.log.length < 8) server.publish('notification')
  }
  const signal = AbortSignal.timeout(30_000) // ends the test when an event was lost
  const options = { baseUrl: 'http://sininho.test', fetch: server.fetch, reconnectDelay: 1, onRetry, signal }
  for await (const event of streamFeed(options)) {
    if (event.type === 'open') {
      again = event.again
      if (!published) {
        published = true
        server.publish('notification', 'corrected', 'read', 'withdrawn', 'notification')
      }
    } else if (event.type === 'read') {
      isRead = true
    } else {
      got.push(`${event.id} ${event.type}`)
    }
    await handle()
    if (got.length >= server.log.length) break
  }
  return { got, readReported: isRead || again }
}

describe('a stream that is cut off anywhere', () => {
  const whole = 350 // bytes of all events published at first
  for (const slow of [false, true]) {
    for (const cuts of [1, 3]) {
      it(`loses and repeats nothing: ${cuts} cuts, ${slow ? 'slow' : 'fast'} handlers`, async () => {
        for (let bytes = 0; bytes < (slow ? 250 : whole); bytes++) {
          const server = new CutServer(bytes, cuts)
          const { got, readReported } = await follow(server, slow)
          expect(got, `cut after ${bytes} bytes`).toEqual(server.log)
          expect(readReported, `read state or open again, cut after ${bytes} bytes`).toBe(true)
        }
      }, 120_000)
    }
  }
})
