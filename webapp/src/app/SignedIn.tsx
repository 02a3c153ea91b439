import { useLiveFeed } from '../features/feed/useLiveFeed'
import { useAppBadge } from '../features/push/useAppBadge'
import { useForegroundPush } from '../features/push/useForegroundPush'
import { useShownNotifications } from '../features/push/useShownNotifications'

/** What goes on behind every screen for who has signed in; loaded for nobody else. Shows nothing itself. */
export default function SignedIn() {
  useLiveFeed()
  useForegroundPush()
  useShownNotifications()
  useAppBadge()
  return null
}
