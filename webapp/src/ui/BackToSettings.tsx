import { words } from '../i18n/words'
import { BackLink } from './BackLink'
import classes from './BackToSettings.module.css'

/** Leads from a page within the preferences to their list, on phones, where nothing else says where one is. */
export function BackToSettings() {
  return (
    <div className={classes.line}>
      <BackLink to="/settings">{words.settings.title}</BackLink>
    </div>
  )
}
