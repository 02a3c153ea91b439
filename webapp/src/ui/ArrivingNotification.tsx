import { pt } from '../i18n/pt'
import classes from './ArrivingNotification.module.css'

/** What the product does, in one picture: a notification arriving on a wall of azulejos. It stands still for who asks for less motion. */
export function ArrivingNotification() {
  const { channel, title, body, time } = pt.index.example
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
