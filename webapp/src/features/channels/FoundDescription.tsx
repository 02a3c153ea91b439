import type { Channel } from '@sininho/sdk'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { excerpt, hasFound } from '../../lib/found'
import { Marked } from '../../ui/Marked'

/** A found channel's description from where it has the words, after why it was found where nothing on its card has them. */
export function FoundDescription({ channel, q }: { channel: Channel; q: string }) {
  const { name, slug, publisher, description } = channel
  const category = words.channels.category(channel.category.name)
  const { category: inCategory, published } = discovery.foundIn
  const shown = [name, slug, publisher.name, publisher.slug, description].some((text) => hasFound(text, q))
  return (
    <>
      {!shown && (hasFound(category, q) ? <Marked q={q}>{`${inCategory}: ${category}`}</Marked> : published)}
      {!shown && description && ' · '}
      <Marked q={q}>{excerpt(description, q)}</Marked>
    </>
  )
}
