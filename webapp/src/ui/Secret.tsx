import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { words } from '../i18n/words'
import { Button } from './Button'
import classes from './Secret.module.css'

type Props = { title: string; hint: string; secret: string; done: string; onDone: () => void }

/** A secret that is shown only once. Takes the focus, so that nobody overlooks it. */
export function Secret({ title, hint, secret, done, onDone }: Props) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const { copy, copied } = useClipboard({ timeout: 2000 })
  useEffect(() => panel.current?.focus(), [])
  return (
    <div ref={panel} role="group" aria-labelledby={id} tabIndex={-1} className={classes.secret}>
      <p id={id} className={classes.title}>
        {title}
      </p>
      <p className={classes.hint}>{hint}</p>
      <code className={classes.code}>{secret}</code>
      <div className={classes.actions}>
        <Button
          size="md"
          leftSection={copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
          onClick={() => copy(secret)}
        >
          {copied ? words.copied : words.copy}
        </Button>
        <Button variant="subtle" size="md" onClick={onDone}>
          {done}
        </Button>
      </div>
    </div>
  )
}
