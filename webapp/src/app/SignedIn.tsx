import { useLiveFeed } from '../features/feed/useLiveFeed'
import { useForegroundPush } from '../features/push/useForegroundPush'

/** What goes on behind every screen for who has signed in; loaded for nobody else. Shows nothing itself. */
export default function SignedIn() {
  useLiveFeed()
  useForegroundPush()
  return null
}
