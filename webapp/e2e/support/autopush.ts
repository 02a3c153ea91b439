import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** What Firefox says to its push service. */
type Said = { messageType?: string; uaid?: string; channelID?: string; updates?: { version: string }[] }

/**
 * A push service that speaks Mozilla's autopush: Firefox connects to it by WebSocket (`dom.push.serverURL`) and gets the
 * endpoints of its subscriptions, and what senders post to these is passed on. Everything is kept in memory.
 */
export class Autopush {
  readonly #server = createServer((request, response) => this.#take(request, response))
  readonly #sockets = new WebSocketServer({ server: this.#server })
  readonly #channels = new Map<string, { socket: WebSocket; channelID: string }>()
  /** The headers of the pushes that were taken. */
  readonly pushes: IncomingMessage['headers'][] = []
  /** Pushes that Firefox has acknowledged. */
  acknowledged = 0

  static async start(): Promise<Autopush> {
    const service = new Autopush()
    service.#sockets.on('connection', (socket) =>
      socket.on('message', (data) => service.#hear(socket, JSON.parse(String(data)) as Said)),
    )
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    return service
  }

  get #host() {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The address for `dom.push.serverURL`. */
  get url() {
    return `ws://${this.#host}/`
  }

  stop() {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.close()
  }

  #hear(socket: WebSocket, { messageType, uaid, channelID = '', updates = [] }: Said) {
    const say = (message: object) => socket.send(JSON.stringify(message))
    switch (messageType) {
      case undefined: // a ping
        return say({})
      case 'hello':
        return say({
          messageType,
          status: 200,
          uaid: uaid || randomUUID().replaceAll('-', ''),
          use_webpush: true,
          broadcasts: {},
        })
      case 'register': {
        const id = randomUUID()
        this.#channels.set(id, { socket, channelID })
        return say({ messageType, status: 200, channelID, pushEndpoint: `http://${this.#host}/wpush/v2/${id}` })
      }
      case 'unregister':
        for (const [id, channel] of this.#channels) if (channel.channelID === channelID) this.#channels.delete(id)
        return say({ messageType, status: 200, channelID })
      case 'ack':
        this.acknowledged += updates.length
        return undefined
      default:
        return undefined
    }
  }

  /** Takes a push of a sender and passes it on to the browser. */
  #take(request: IncomingMessage, response: ServerResponse) {
    const channel = this.#channels.get(request.url?.split('/').at(-1) ?? '')
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (!channel) return response.writeHead(410).end()
      this.pushes.push(request.headers)
      const { socket, channelID } = channel
      const data = Buffer.concat(parts).toString('base64url')
      const headers = { encoding: 'aes128gcm' }
      socket.send(JSON.stringify({ messageType: 'notification', channelID, version: randomUUID(), data, headers }))
      return response.writeHead(201, { Location: request.url ?? '/' }).end()
    })
  }
}
