import { type MainClient, unwrap } from './client.js'
import type { Picture } from './models.js'

/**
 * Uploads the file of a PNG, JPEG, WebP or GIF of at most 5 MiB for a publisher. The server makes it anew from its pixels,
 * without anything else that the file says. Its `url` is for the `image`, `icon` or `avatar` of a notification, channel or
 * publisher; a picture that none of them uses is deleted after a day.
 */
export function uploadPicture(client: MainClient, publisherSlug: string, file: Blob): Promise<Picture> {
  return unwrap(
    client.POST('/publishers/{publisherSlug}/pictures', {
      params: { path: { publisherSlug } },
      body: file as unknown as string, // how the contract's binary format is typed
      bodySerializer: (body) => body,
      headers: { 'Content-Type': file.type || 'image/*' },
    }),
  )
}
