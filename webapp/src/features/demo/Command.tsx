import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { env } from '../../env'
import { pt } from '../../i18n/pt'
import classes from './Command.module.css'
import type { DemoMessage } from './mutations'

/** The same call for a terminal. */
export function Command({ message }: { message: DemoMessage }) {
  const { copy, copied } = useClipboard({ timeout: 2000 })
  const command = curl(env().DEMO_WEBHOOK_URL, message)
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        {pt.demo.command}
        <ActionIcon variant="subtle" size={44} aria-label={copied ? pt.copied : pt.copy} onClick={() => copy(command)}>
          {copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
        </ActionIcon>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className={classes.code} tabIndex={0} aria-label={pt.demo.command}>
        {command}
      </pre>
    </figure>
  )
}

/** Safe to paste into a shell whatever the message says. */
export function curl(address: string, message: DemoMessage): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    `curl ${quoted(address)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(message))}`,
  ].join('\n')
}
