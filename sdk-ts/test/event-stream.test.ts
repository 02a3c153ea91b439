import { describe, expect, it } from 'vitest'
import { EventStreamParser } from '../src/event-stream.js'

const parse = (...pieces: string[]) => {
  const parser = new EventStreamParser()
  const all = pieces.flatMap((piece) => parser.push(piece))
  return { events: all.map(({ event, data }) => ({ event, data })), ids: all.map(({ id }) => id), parser }
}

describe('EventStreamParser', () => {
  it('reads an event with its id', () => {
    const { events, parser } = parse('id: 42\nevent: notification\ndata: {"a":1}\n\n')
    expect(events).toEqual([{ event: 'notification', data: '{"a":1}' }])
    expect(parser.lastEventId).toBe('42')
  })

  it('returns each event with the position after it, although several arrive at once', () => {
    expect(parse('id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n').ids).toEqual(['1', '1', '2'])
  })

  it('joins several data lines and removes only one leading space', () => {
    expect(parse('data:  one\ndata:two\ndata\n\n').events).toEqual([{ event: 'message', data: ' one\ntwo\n' }])
  })

  it.each(['\n', '\r', '\r\n'])('treats %j as a line end', (end) => {
    const text = `event: a${end}data: 1${end}${end}event: b${end}data: 2${end}${end}`
    // a CR at the end of a chunk may be the first half of a CRLF
    expect(parse(text, ':').events).toEqual([
      { event: 'a', data: '1' },
      { event: 'b', data: '2' },
    ])
  })

  it('returns the same events wherever the text is cut', () => {
    const text = ': hi\r\nid: 7\r\nevent: notification\r\ndata: é\r\ndata: 😀\r\n\r\nretry: 250\r\n\r\ndata: x\r\n\r\n'
    const whole = parse(text).events
    expect(whole).toHaveLength(2)
    for (let cut = 1; cut < text.length; cut++) {
      expect(parse(text.slice(0, cut), text.slice(cut)).events, `cut at ${cut}`).toEqual(whole)
    }
    expect(parse(...text.split('')).events).toEqual(whole)
  })

  it('returns a block that only sets the id, without an event', () => {
    const { events, ids, parser } = parse('retry: 5\n\nevent: a\n\nid: 41\n\n')
    expect(events).toEqual([{ event: '', data: '' }])
    expect(ids).toEqual(['41'])
    expect(parser.lastEventId).toBe('41')
  })

  it('applies an id only once its event is complete', () => {
    const { parser } = parse('id: 1\ndata: a\n\nid: 2\ndata: b\n')
    expect(parser.lastEventId).toBe('1')
  })

  it('leaves the id as it was on an event without one, and ignores one with NUL', () => {
    const { parser } = parse('id: 5\n\n', 'id: 6\0\n\n', 'data: x\n\n')
    expect(parser.lastEventId).toBe('5')
  })

  it('treats an empty id as a reset of the position', () => {
    expect(parse('id: 5\n\nid\n\n').parser.lastEventId).toBe('')
  })

  it('ignores comments, unknown fields, a byte order mark and a bad retry', () => {
    const { events, parser } = parse('\uFEFF: heartbeat\n\nretry: 1s\nfoo: bar\ndata: x\n\n:\n\n')
    expect(events).toEqual([{ event: 'message', data: 'x' }])
    expect(parser.retry).toBeUndefined()
  })

  it('reads a retry', () => {
    expect(parse('retry: 1500\n\n').parser.retry).toBe(1500)
  })

  it('forgets the event name after an event without data', () => {
    expect(parse('event: notification\n\ndata: x\n\n').events).toEqual([{ event: 'message', data: 'x' }])
  })
})
