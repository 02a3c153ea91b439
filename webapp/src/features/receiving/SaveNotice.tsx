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
    <Text className={`${ui.tile} ${classes.notice}`} c="dimmed">
      {receive.onlyHere}{' '}
      <Link to="/login" search={{ redirect: '/feed' }}>
        {receive.save}
      </Link>
    </Text>
  )
}
