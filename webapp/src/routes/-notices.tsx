import InvitationNotice from '../features/membership/InvitationNotice'
import QuietDevices from '../features/push/QuietDevices'
import SilentNotice from '../features/push/SilentNotice'
import MoreNotice from '../features/receiving/MoreNotice'
import SaveNotice from '../features/receiving/SaveNotice'

type Props = { anonymous: boolean; onboarded: boolean }

/** What the feed says beside its notifications, loaded after them. */
export default function Notices({ anonymous, onboarded }: Props) {
  return (
    <>
      {anonymous ? <SaveNotice /> : <InvitationNotice />}
      <SilentNotice />
      <QuietDevices />
      {!onboarded && <MoreNotice />}
    </>
  )
}
