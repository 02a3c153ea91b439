import { baseUrlOf } from './base-url.js'
import { type ClientOptions, createMainClient, type MainClient } from './client.js'
import { Channels } from './services/channels.js'
import { Feed } from './services/feed.js'
import { Notifications } from './services/notifications.js'
import { Publishers } from './services/publishers.js'
import { Subscriptions } from './services/subscriptions.js'
import { Webhooks } from './services/webhooks.js'

/** The address of a server, a credential, and how calls are retried. */
export interface SininhoOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The server's address, `https://sininho.example`, or that of its API. */
  url: string
}

/**
 * Calls one Sininho server. It has a service for each noun, and `client` for everything else in the contract:
 *
 * ```ts
 * const sininho = new Sininho({ url: 'https://sininho.example', apiKey: process.env.SININHO_API_KEY })
 * await sininho.notifications.publish('acme/deploys', { title: 'Version 42 is live' })
 * ```
 *
 * Calls throw {@link ApiError} and {@link NetworkError} as those of {@link createMainClient} do. An empty `apiKey` is
 * refused with a `TypeError`, because more often than not a variable is missing.
 */
export class Sininho {
  /** The client of the contract underneath. */
  readonly client: MainClient
  /** Publishes to channels, and reads what was published. */
  readonly notifications: Notifications
  /** Finds, creates and changes channels. */
  readonly channels: Channels
  /** Finds, creates and changes publishers, and uploads their pictures. */
  readonly publishers: Publishers
  /** Manages the addresses to which other systems post. */
  readonly webhooks: Webhooks
  /** Follows channels for a person. */
  readonly subscriptions: Subscriptions
  /** Reads a person's feed. */
  readonly feed: Feed

  constructor({ url, ...options }: SininhoOptions) {
    if ('apiKey' in options && options.apiKey !== undefined && options.apiKey.trim() === '') {
      throw new TypeError('The apiKey is empty: is its variable set? Leave it out to read only what is public')
    }
    const { apiKey, headers, fetch } = options
    const baseUrl = baseUrlOf(url)
    const connection = { baseUrl, apiKey, headers, fetch }
    this.client = createMainClient({ ...options, baseUrl })
    this.notifications = new Notifications(this.client, connection)
    this.channels = new Channels(this.client)
    this.publishers = new Publishers(this.client)
    this.webhooks = new Webhooks(this.client)
    this.subscriptions = new Subscriptions(this.client)
    this.feed = new Feed(this.client, connection)
  }
}
