import type { Publisher } from '@sininho/sdk'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { avatarOf } from '../../lib/pictures'
import { Description } from './Description'
import { Masthead } from './Masthead'
import classes from './Masthead.module.css'
import { Website } from './Website'

export function PublisherHeader({ publisher }: { publisher: Publisher }) {
  const { slug, name, description, channelCount, subscriberCount, suspension } = publisher
  return (
    <Masthead picture={avatarOf(publisher)} name={name} path={`/channels/${slug}`}>
      {suspension && (
        <p role="alert" className={classes.suspended}>
          {discovery.publisher.suspended(suspension.reason)}
        </p>
      )}
      <p className={classes.figures}>
        <Figure>{words.channels.found(channelCount)}</Figure>
        {Boolean(subscriberCount) && <Figure>{words.channels.followers(subscriberCount ?? 0)}</Figure>}
      </p>
      <Description>{description}</Description>
      <Website publisher={publisher} />
    </Masthead>
  )
}

/** What is counted, in which a number at the beginning stands out. */
function Figure({ children }: { children: string }) {
  const [number = ''] = /^\d[\d\s.,]*/u.exec(children) ?? []
  return (
    <span>
      <strong>{number}</strong>
      {children.slice(number.length)}
    </span>
  )
}
