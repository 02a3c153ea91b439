import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useAnonymous } from '../../data/useSignedIn'
import { receive } from '../../i18n/receive'
import ui from '../../ui/ui.module.css'
import classes from './notices.module.css'

/** Says to people without an account that what they follow is here alone, and leads to saving it. */
export default function SaveNotice() {
  if (!useAnonymous()) return null
  return (
    <div className={`${ui.tile} ${classes.notice}`}>
      <Text span c="dimmed">
        {receive.onlyHere}
      </Text>
      <Link to="/login" search={{ redirect: '/feed' }}>
        {receive.save}
      </Link>
    </div>
  )
}
