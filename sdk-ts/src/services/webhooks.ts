import { channelPath } from '../channel-address.js'
import { unwrap } from '../client.js'
import { Listing } from '../listing.js'
import type { components } from '../gen/sininho.js'
import type { Webhook } from '../models.js'
import { type CallOptions, type CreateOptions, type ListOptions, sent, Service } from './call.js'

type Schemas = components['schemas']

const list = '/channels/{publisherSlug}/{channelSlug}/webhooks'

/** Manages the addresses to which other systems post in order to publish to a channel. */
export class Webhooks extends Service {
  /** The channel's webhooks, oldest first. */
  list(channel: string, { pageSize, ...options }: ListOptions = {}): Listing<Webhook> {
    const path = channelPath(channel)
    return new Listing(
      (query) => unwrap(this.client.GET(list, { params: { path, query }, ...sent(options) })),
      pageSize,
    )
  }

  /** Creates a webhook. Its secret, if it has one, is returned only once. */
  create(channel: string, input: Schemas['WebhookInput'], options?: CreateOptions): Promise<Schemas['WebhookSecret']> {
    return unwrap(this.client.POST(list, { params: { path: channelPath(channel) }, body: input, ...sent(options) }))
  }

  /** Deletes a webhook. What is posted to its address is refused from then on. */
  async delete(channel: string, id: string, options?: CallOptions): Promise<void> {
    await this.client.DELETE(`${list}/{id}`, { params: { path: { ...channelPath(channel), id } }, ...sent(options) })
  }
}
