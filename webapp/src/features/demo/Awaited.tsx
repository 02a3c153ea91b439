import { demo } from '../../i18n/demo'
import { ChannelIcon } from '../../ui/ChannelIcon'
import classes from './Awaited.module.css'
import type { DemoMessage } from './message'

/** In place of the arrivals while there are none: what the message will look like, as it is written. */
export function Awaited({ message: { title, body } }: { message: DemoMessage }) {
  return (
    <div className={classes.awaited}>
      <div className={classes.message} aria-hidden>
        <ChannelIcon name={demo.title} size={44} />
        <div className={classes.words}>
          <p className={classes.meta}>
            <span>{demo.title}</span>
            <span>{demo.preview}</span>
          </p>
          <p className={classes.title} dir="auto">
            {title}
          </p>
          <p className={classes.body} dir="auto">
            {body}
          </p>
        </div>
      </div>
      <div className={classes.text}>
        <p className={classes.lead}>{demo.waiting.title}</p>
        <p>{demo.waiting.text}</p>
      </div>
    </div>
  )
}
