import { ApiError, type Publisher } from '@sininho/sdk'
import { address } from '../../i18n/address'
import { studio } from '../../i18n/studio'
import { faultsOf } from '../../lib/faults'
import { isSlug, slugOf } from '../../lib/slug'
import type { Beginning } from './mutations'

const words = studio.begin

/** The form's values. */
export type Beginnings = {
  /** The slug of one of the person's publishers; '' for a new one. */
  publisher: string
  publisherName: string
  name: string
  /** The address, once it was chosen; it follows the name before. */
  slug?: string
  /** An id. */
  category: string
  visibility: 'public' | 'unlisted' | 'private'
}

export type BeginningFaults = Partial<Record<'publisherName' | 'name' | 'slug' | 'category', string>>

/** What is created. A publisher that a failed attempt has created already is one of the person's. */
export function beginningOf(fields: Beginnings, publishers: readonly Publisher[]): Beginning {
  const name = fields.publisherName.trim()
  const slug = fields.publisher || slugOf(name)
  const known = publishers.some((publisher) => publisher.slug === slug)
  return {
    ...(!known && { publisher: { slug, name } }),
    channel: {
      publisherSlug: slug,
      slug: fields.slug ?? slugOf(fields.name),
      name: fields.name.trim(),
      categoryId: fields.category,
      visibility: fields.visibility,
    },
  }
}

/** What can be known to be wrong before it is sent. */
export function faultsIn(fields: Beginnings, publishers: readonly Publisher[]): BeginningFaults {
  const { publisher, channel } = beginningOf(fields, publishers)
  return {
    ...(publisher && !isSlug(publisher.slug) && { publisherName: words.missing }),
    ...(channel.name === '' && { name: words.missing }),
    ...(!isSlug(channel.slug) && { slug: address.wrong }),
    ...(channel.categoryId === '' && { category: words.categoryMissing }),
  }
}

/** What the server found wrong, as far as it has not changed since. */
export function serverFaults(error: Error | null, sent: Beginning | undefined, now: Beginning): BeginningFaults {
  if (now.publisher) {
    const { name, slug } = refused(error, sent?.publisher, now.publisher, words.nameTaken)
    return known({ publisherName: name ?? slug })
  }
  const { name, slug, categoryId } = refused(error, sent?.channel, now.channel, address.taken)
  return known({ name, slug, category: categoryId })
}

const known = (faults: BeginningFaults): BeginningFaults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault))

/** What was refused of a publisher or a channel; `taken` says that another has its address. */
function refused<T extends { slug: string }>(error: Error | null, sent: T | undefined, now: T, taken: string) {
  const faults: Partial<Record<keyof T, string>> = faultsOf(error, sent, now)
  const isTaken = error instanceof ApiError && error.status === 409 && sent?.slug === now.slug
  return isTaken ? { ...faults, slug: taken } : faults
}
