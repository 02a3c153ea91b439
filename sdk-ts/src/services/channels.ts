import { channelPath } from '../channel-address.js'
import { unwrap } from '../client.js'
import { Listing } from '../listing.js'
import type { Channel, ChannelInput, ChannelPatch, ChannelSort } from '../models.js'
import { type CallOptions, type CreateOptions, type ListOptions, sent, Service } from './call.js'

const one = '/channels/{publisherSlug}/{channelSlug}'

/** Which channels are listed. */
export interface ChannelListOptions extends ListOptions {
  /** Words to find. */
  q?: string
  /** The slug of a category. */
  category?: string
  /** The slug of a publisher. */
  publisher?: string
  sort?: ChannelSort
}

/** Finds, creates and changes channels. */
export class Channels extends Service {
  /** Public channels. */
  list({ pageSize, signal, ...filter }: ChannelListOptions = {}): Listing<Channel> {
    return new Listing(
      (query) =>
        unwrap(this.client.GET('/channels', { params: { query: { ...filter, ...query } }, ...sent({ signal }) })),
      pageSize,
    )
  }

  /** Returns one channel, as `publisher/channel`. */
  get(channel: string, options?: CallOptions): Promise<Channel> {
    return unwrap(this.client.GET(one, { params: { path: channelPath(channel) }, ...sent(options) }))
  }

  /** Creates a channel. */
  create(input: ChannelInput, options?: CreateOptions): Promise<Channel> {
    return unwrap(this.client.POST('/channels', { body: input, ...sent(options) }))
  }

  /** Changes the given members of a channel. */
  update(channel: string, patch: ChannelPatch, options?: CallOptions): Promise<Channel> {
    return unwrap(this.client.PATCH(one, { params: { path: channelPath(channel) }, body: patch, ...sent(options) }))
  }

  /** Deletes a channel with everything in it. */
  async delete(channel: string, options?: CallOptions): Promise<void> {
    await this.client.DELETE(one, { params: { path: channelPath(channel) }, ...sent(options) })
  }
}
