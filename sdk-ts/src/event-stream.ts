/** One event of a `text/event-stream`, or a block that only sets the id. */
export interface ServerSentEvent {
  /** Empty for a block that only sets the id. */
  event: string
  data: string
  /** The most recent id, set by this event or by an earlier one. */
  id: string
}

const lineEnd = /\r\n|\r|\n/g

/**
 * Parses a `text/event-stream` as defined by the HTML standard, from chunks that may be cut anywhere. A block with an
 * `id` and no data is returned too; comments are dropped.
 */
export class EventStreamParser {
  /** Id of the last complete event, sent when reconnecting. */
  lastEventId = ''
  /** Milliseconds to wait before reconnecting, if the server has sent `retry`. */
  retry: number | undefined

  #rest = ''
  #started = false
  #pendingId = ''
  #event = ''
  #data: string[] = []
  #hasId = false

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
    this.#pendingId = lastEventId
  }

  /** Adds a chunk and returns the events that it completes. */
  push(chunk: string): ServerSentEvent[] {
    let text = this.#rest + chunk
    if (!this.#started && text !== '') {
      this.#started = true
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    const events: ServerSentEvent[] = []
    let start = 0
    lineEnd.lastIndex = 0
    for (let end = lineEnd.exec(text); end; end = lineEnd.exec(text)) {
      // a carriage return at the end of a chunk may be the first half of a CRLF: wait for the next chunk
      if (end[0] === '\r' && lineEnd.lastIndex === text.length) break
      const event = this.#line(text.slice(start, end.index))
      if (event) events.push(event)
      start = lineEnd.lastIndex
    }
    this.#rest = text.slice(start)
    return events
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') this.#event = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id' && !value.includes('\0')) {
      this.#pendingId = value
      this.#hasId = true
    } else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value)
    return undefined
  }

  #dispatch(): ServerSentEvent | undefined {
    const id = (this.lastEventId = this.#pendingId)
    const event = this.#event || 'message'
    const data = this.#data
    const hasId = this.#hasId
    this.#event = ''
    this.#data = []
    this.#hasId = false
    if (data.length > 0) return { event, data: data.join('\n'), id }
    return hasId ? { event: '', data: '', id } : undefined
  }
}
