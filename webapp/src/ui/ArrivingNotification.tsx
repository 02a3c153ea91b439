import { words } from '../i18n/words'
import classes from './ArrivingNotification.module.css'

/** Illustration: a notification arrives on a wall of azulejos, without motion if the person prefers that. */
export function ArrivingNotification() {
  const { channel, title, body, time } = words.index.example
  return (
    <div className={classes.wall} aria-hidden>
      <div className={classes.notification}>
        <img src="/channels/metro.png" alt="" width={48} height={48} className={classes.icon} />
        <div className={classes.text}>
          <p className={classes.meta}>
            {channel} <span>{time}</span>
          </p>
          <p className={classes.title}>{title}</p>
          <p>{body}</p>
        </div>
      </div>
    </div>
  )
}
