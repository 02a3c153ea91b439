import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from './Confirm'

type Props = ButtonProps & {
  'aria-label'?: string
  children: string
  question: string
  text: string
  /** What confirms, if it is called something else than the button. */
  action?: string
  onConfirm: () => void
}

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({ question, text, action, onConfirm, ...button }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)} />
      {asking && (
        <Confirm
          question={question}
          text={text}
          action={action ?? button.children}
          onClose={() => setAsking(false)}
          onConfirm={onConfirm}
        />
      )}
    </>
  )
}
