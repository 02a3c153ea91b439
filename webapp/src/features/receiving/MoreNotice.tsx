import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { authQuery } from '../../data/session'
import { usePush } from '../../data/usePush'
import { receive } from '../../i18n/receive'
import ui from '../../ui/ui.module.css'
import classes from './notices.module.css'

/**
 * Offers the first steps to people who came for one channel and have not taken them, once their device has rung or where
 * none can.
 */
export default function MoreNotice() {
  const { data } = useQuery(authQuery())
  const { state, device } = usePush()
  const waits = state === 'off' || (state === 'on' && !device?.ringsSince)
  if (data?.subscriber?.onboarded !== false || waits) return null
  return (
    <Link to="/onboarding" search={{ redirect: '/feed' }} className={`${ui.tile} ${classes.notice}`}>
      {receive.more}
    </Link>
  )
}
