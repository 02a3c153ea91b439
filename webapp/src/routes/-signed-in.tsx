import { useFollowIntent } from '../features/channels/useFollowIntent'
import { useLiveFeed } from '../features/feed/useLiveFeed'
import { useAppBadge } from '../features/push/useAppBadge'
import { useForegroundPush } from '../features/push/useForegroundPush'
import { useShownNotifications } from '../features/push/useShownNotifications'

/** Background work of every screen for signed-in people; not loaded for visitors. Renders nothing. */
export default function SignedIn() {
  useLiveFeed()
  useForegroundPush()
  useShownNotifications()
  useAppBadge()
  useFollowIntent()
  return null
}
