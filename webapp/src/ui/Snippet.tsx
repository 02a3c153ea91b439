import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { demo } from '../i18n/demo'
import { words } from '../i18n/words'
import { Button } from './Button'
import { VisuallyHidden } from './VisuallyHidden'
import classes from './Snippet.module.css'

/** Text to copy. Long lines scroll inside the box. */
export function Snippet({ label, text, note }: { label: string; text: string; note?: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  return (
    <div className={classes.snippet}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className={classes.code} tabIndex={0} role="region" aria-label={demo.snippet(label)}>
        {text}
      </pre>
      <div className={classes.foot}>
        <p className={classes.note}>{error ? words.copyFailed : note}</p>
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
          onClick={() => copy(text)}
        >
          {copied ? words.copied : words.copy}
        </Button>
        <VisuallyHidden role="status">{copied ? words.copied : ''}</VisuallyHidden>
      </div>
    </div>
  )
}
