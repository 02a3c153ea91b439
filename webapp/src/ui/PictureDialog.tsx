import { CloseButton, Image, Modal } from '@mantine/core'
import { words } from '../i18n/words'
import { useFocusBack } from './useFocusBack'

/** A picture as large as the window. Escape, its button and a click beside it close it. */
export default function PictureDialog({ src, of, onClose }: { src: string; of: string; onClose: () => void }) {
  const opened = useFocusBack()
  return (
    <Modal.Root opened={opened} onClose={onClose} fullScreen>
      <Modal.Content aria-label={words.picture.of(of)} bg="rgb(11 13 18 / 92%)">
        <CloseButton
          variant="filled"
          aria-label={words.close}
          pos="fixed"
          top="calc(8px + env(safe-area-inset-top))"
          right={8}
          onClick={onClose}
        />
        <Modal.Body h="100dvh" p={16} onClick={({ target }) => target instanceof HTMLImageElement || onClose()}>
          <Image src={src} alt={words.picture.of(of)} h="100%" fit="contain" referrerPolicy="no-referrer" />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
