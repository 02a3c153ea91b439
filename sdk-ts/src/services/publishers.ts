import { unwrap } from '../client.js'
import { Listing } from '../listing.js'
import type { Picture, Publisher, PublisherInput, PublisherPatch } from '../models.js'
import { uploadPicture } from '../picture.js'
import { type CallOptions, type CreateOptions, type ListOptions, sent, Service } from './call.js'

const one = '/publishers/{publisherSlug}'

/** Finds, creates and changes publishers. */
export class Publishers extends Service {
  /** All publishers. */
  list({ pageSize, signal }: ListOptions = {}): Listing<Publisher> {
    return new Listing(
      (query) => unwrap(this.client.GET('/publishers', { params: { query }, ...sent({ signal }) })),
      pageSize,
    )
  }

  /** Returns one publisher. */
  get(publisherSlug: string, options?: CallOptions): Promise<Publisher> {
    return unwrap(this.client.GET(one, { params: { path: { publisherSlug } }, ...sent(options) }))
  }

  /** Creates a publisher, of which the signed-in person becomes the owner. */
  create(input: PublisherInput, options?: CreateOptions): Promise<Publisher> {
    return unwrap(this.client.POST('/publishers', { body: input, ...sent(options) }))
  }

  /** Changes the given members of a publisher. */
  update(publisherSlug: string, patch: PublisherPatch, options?: CallOptions): Promise<Publisher> {
    return unwrap(this.client.PATCH(one, { params: { path: { publisherSlug } }, body: patch, ...sent(options) }))
  }

  /** Uploads a picture, as `uploadPicture` does. */
  uploadPicture(publisherSlug: string, file: Blob): Promise<Picture> {
    return uploadPicture(this.client, publisherSlug, file)
  }
}
