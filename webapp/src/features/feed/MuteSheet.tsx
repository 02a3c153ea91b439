import { words } from '../../i18n/words'
import { Dialog } from '../../ui/Dialog'
import { MuteList } from '../../ui/MuteList'

type Props = { channel: string; onChoose: (until: Date) => void; onClose: () => void }

/** Asks until when a channel is muted. */
export default function MuteSheet({ channel, onChoose, onClose }: Props) {
  return (
    <Dialog title={words.followed.bellOf(channel)} onClose={onClose}>
      <MuteList onChoose={onChoose} />
    </Dialog>
  )
}
