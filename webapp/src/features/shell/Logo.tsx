import { words } from '../../i18n/words'
import classes from './Logo.module.css'

export function Logo() {
  return (
    <span className={classes.logo}>
      <img src="/favicon.svg" alt="" width={32} height={32} />
      <span className={classes.name}>{words.appName}</span>
    </span>
  )
}
