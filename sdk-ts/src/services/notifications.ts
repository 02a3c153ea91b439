import { channelPath } from '../channel-address.js'
import { type MainClient, unwrap } from '../client.js'
import type { ChannelEvent, StreamOptions } from '../live.js'
import { Listing } from '../listing.js'
import type { Deliveries, Notification, NotificationInput, NotificationPatch } from '../models.js'
import { type CallOptions, type CreateOptions, type ListOptions, sent, Service } from './call.js'

const list = '/channels/{publisherSlug}/{channelSlug}/notifications'
const one = '/channels/{publisherSlug}/{channelSlug}/notifications/{id}'

/** Settings of a stream, besides those of its client. */
export type FollowOptions = Omit<StreamOptions, 'baseUrl' | 'apiKey' | 'headers' | 'fetch'>

/** What a stream needs of its client. */
export type Connection = Pick<StreamOptions, 'baseUrl' | 'apiKey' | 'headers' | 'fetch'>

/** Publishes to channels, and reads what was published. */
export class Notifications extends Service {
  readonly #connection: Connection

  constructor(client: MainClient, connection: Connection) {
    super(client)
    this.#connection = connection
  }

  /**
   * Publishes a notification, or a text, whose first line becomes the title. When the call returns, it is stored and
   * will reach every follower. With an `externalId` that the channel has already, that notification is returned.
   */
  publish(channel: string, input: NotificationInput | string, options?: CreateOptions): Promise<Notification> {
    const body = typeof input === 'string' ? split(input) : input
    return unwrap(this.client.POST(list, { params: { path: channelPath(channel) }, body, ...sent(options) }))
  }

  /** Publishes up to 1,000 notifications: all or none. Returns their ids, in order. */
  async publishBatch(
    channel: string,
    notifications: NotificationInput[],
    options?: CreateOptions,
  ): Promise<{ id: string; outcome: string }[]> {
    const call = { params: { path: channelPath(channel) }, body: { notifications }, ...sent(options) }
    return (await unwrap(this.client.POST(`${list}/batch`, call))).data
  }

  /** The channel's notifications, newest first. */
  list(channel: string, { pageSize, ...options }: ListOptions = {}): Listing<Notification> {
    const path = channelPath(channel)
    return new Listing(
      (query) => unwrap(this.client.GET(list, { params: { path, query }, ...sent(options) })),
      pageSize,
    )
  }

  /** Returns one notification. */
  get(channel: string, id: string, options?: CallOptions): Promise<Notification> {
    return unwrap(this.client.GET(one, { params: { path: { ...channelPath(channel), id } }, ...sent(options) }))
  }

  /** Returns the notification with an id of your own, or undefined. */
  async getByExternalId(channel: string, externalId: string, options?: CallOptions): Promise<Notification | undefined> {
    const params = { path: channelPath(channel), query: { externalId } }
    return (await unwrap(this.client.GET(list, { params, ...sent(options) }))).data[0]
  }

  /** Changes a notification for every reader. `null` removes an optional member. */
  correct(channel: string, id: string, patch: NotificationPatch, options?: CallOptions): Promise<Notification> {
    const params = { path: { ...channelPath(channel), id } }
    return unwrap(this.client.PATCH(one, { params, body: patch, ...sent(options) }))
  }

  /** Removes a notification from every feed. One that is scheduled is never published. */
  async withdraw(channel: string, id: string, options?: CallOptions): Promise<void> {
    await this.client.DELETE(one, { params: { path: { ...channelPath(channel), id } }, ...sent(options) })
  }

  /** Returns what became of a notification's pushes. */
  deliveries(channel: string, id: string, options?: CallOptions): Promise<Deliveries> {
    const params = { path: { ...channelPath(channel), id } }
    return unwrap(this.client.GET(`${one}/deliveries`, { params, ...sent(options) }))
  }

  /** Follows a channel live, until the loop is left. It reconnects by itself, and nothing is missed or repeated. */
  async *stream(channel: string, options?: FollowOptions): AsyncGenerator<ChannelEvent, void, undefined> {
    const { publisherSlug, channelSlug } = channelPath(channel)
    const { streamChannel } = await import('../live.js') // what only publishes does not load it
    yield* streamChannel(publisherSlug, channelSlug, { ...this.#connection, ...options })
  }
}

function split(text: string): NotificationInput {
  const [title = '', ...rest] = text.trim().split('\n')
  return { title, body: rest.join('\n').trim() }
}
