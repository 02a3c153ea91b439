import { words } from '../i18n/words'
import { Button } from './Button'
import { Dialog } from './Dialog'
import classes from './Confirm.module.css'

type Props = { question: string; text: string; action: string; onConfirm: () => void; onClose: () => void }

/** Asks before an action that cannot be undone. Open while it is rendered. */
export function Confirm({ question, text, action, onConfirm, onClose }: Props) {
  return (
    <Dialog title={question} onClose={onClose}>
      <p className={classes.text}>{text}</p>
      <div className={classes.actions}>
        <Button variant="default" size="md" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button
          danger
          size="md"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
