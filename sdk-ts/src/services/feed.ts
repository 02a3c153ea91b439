import { type MainClient, unwrap } from '../client.js'
import type { FeedEvent } from '../live.js'
import { Listing } from '../listing.js'
import type { Notification } from '../models.js'
import { type CallOptions, type ListOptions, sent, Service } from './call.js'
import type { Connection, FollowOptions } from './notifications.js'

/** Which part of the feed is listed. */
export interface FeedListOptions extends ListOptions {
  /** Only what is unread. */
  unread?: boolean
  /** Only what is important. */
  important?: boolean
  /** What is archived instead. */
  archived?: boolean
  /** Words to find. */
  q?: string
}

/** Reads the feed of a person: their access token is the `apiKey`, or a browser is signed in. */
export class Feed extends Service {
  readonly #connection: Connection

  constructor(client: MainClient, connection: Connection) {
    super(client)
    this.#connection = connection
  }

  /** The notifications of all channels that the person follows, newest first. */
  list({ pageSize, signal, ...filter }: FeedListOptions = {}): Listing<Notification> {
    return new Listing(
      (query) =>
        unwrap(
          this.client.GET('/subscribers/notifications', {
            params: { query: { ...filter, ...query } },
            ...sent({ signal }),
          }),
        ),
      pageSize,
    )
  }

  /** Marks a notification as read or archived, or not, on every device of the person. */
  update(id: string, state: { read?: boolean; archived?: boolean }, options?: CallOptions): Promise<Notification> {
    const params = { path: { id } }
    return unwrap(this.client.PATCH('/subscribers/notifications/{id}', { params, body: state, ...sent(options) }))
  }

  /** Follows the feed live, until the loop is left. It reconnects by itself, and nothing is missed or repeated. */
  async *stream(options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined> {
    const { streamFeed } = await import('../live.js')
    yield* streamFeed({ ...this.#connection, ...options })
  }
}
