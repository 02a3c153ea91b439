import { Code } from '@mantine/core'
import { Fold } from './Fold'
import classes from './studio.module.css'

/** What programs sent each other, shown to whoever asks for it. */
export const Sent = ({ title, content }: { title: string; content: object }) => (
  <Fold summary={<span className={classes.grow}>{title}</span>}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
    <Code block tabIndex={0} role="region" aria-label={title} lang="en" mah={320}>
      {JSON.stringify(content, undefined, 2)}
    </Code>
  </Fold>
)
