import { channelPath } from '../channel-address.js'
import { unwrap } from '../client.js'
import { Listing } from '../listing.js'
import type { Subscription, SubscriptionPatch } from '../models.js'
import { type CallOptions, type ListOptions, sent, Service } from './call.js'

/** Follows channels for a person: their access token is the `apiKey`, or a browser is signed in. */
export class Subscriptions extends Service {
  /** The channels that the person follows. */
  list({ pageSize, signal }: ListOptions = {}): Listing<Subscription> {
    return new Listing(
      (query) => unwrap(this.client.GET('/subscribers/channels', { params: { query }, ...sent({ signal }) })),
      pageSize,
    )
  }

  /** Follows a channel, as `publisher/channel`. */
  async follow(channel: string, options?: CallOptions): Promise<void> {
    const params = { path: { id: await this.#idOf(channel, options) } }
    await this.client.POST('/subscribers/channels/{id}/subscribe', { params, ...sent(options) })
  }

  /** Stops following a channel. */
  async unfollow(channel: string, options?: CallOptions): Promise<void> {
    const params = { path: { id: await this.#idOf(channel, options) } }
    await this.client.POST('/subscribers/channels/{id}/unsubscribe', { params, ...sent(options) })
  }

  /** Changes which notifications of a followed channel are pushed. */
  async update(channel: string, patch: SubscriptionPatch, options?: CallOptions): Promise<Subscription> {
    const params = { path: { id: await this.#idOf(channel, options) } }
    return unwrap(this.client.PATCH('/subscribers/channels/{id}', { params, body: patch, ...sent(options) }))
  }

  async #idOf(channel: string, options?: CallOptions): Promise<string> {
    const params = { path: channelPath(channel) }
    const found = await unwrap(this.client.GET('/channels/{publisherSlug}/{channelSlug}', { params, ...sent(options) }))
    return found.id
  }
}
