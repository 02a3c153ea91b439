import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { leaveMutation } from '../../data/following'
import { join } from '../../i18n/join'
import { words } from '../../i18n/words'
import { Confirm } from '../../ui/Confirm'

type Props = { channel: Pick<Channel, 'id' | 'name'>; onClose: () => void }

/** Asks before a private channel is left, because its page does not exist for the person then. Leads to the feed. */
export default function LeaveQuestion({ channel: { id, name }, onClose }: Props) {
  const navigate = useNavigate()
  const leave = useMutation(leaveMutation(() => navigate({ to: '/feed' })))
  return (
    <Confirm
      question={join.leave(name)}
      text={join.leaveText}
      action={words.channels.unfollow}
      onClose={onClose}
      onConfirm={() => leave.mutate(id)}
    />
  )
}
