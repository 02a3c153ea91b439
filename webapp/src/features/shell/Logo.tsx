import { pt } from '../../i18n/pt'
import classes from './Logo.module.css'

export function Logo() {
  return (
    <span className={classes.logo}>
      <img src="/favicon.svg" alt="" width={32} height={32} />
      <span className={classes.name}>{pt.appName}</span>
    </span>
  )
}
