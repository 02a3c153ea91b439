import { Flex, Paper, Stack, Title } from '@mantine/core'
import { useId } from 'react'
import { settings } from '../../i18n/settings'
import { BackToSettings } from '../../ui/BackToSettings'
import ui from '../../ui/ui.module.css'
import type { Part, Section } from './section'

type Props = {
  section: Section
  /** Where it is: on a screen of its own, beside the list, or beside the list whose screen it is. */
  place: 'screen' | 'beside' | 'first'
}

/** One section of the settings. */
export function SectionPane({ section: { name, parts }, place }: Props) {
  const id = useId()
  const { title } = settings.sections[name]
  return (
    <Flex aria-labelledby={id} component="section" gap={16} direction="column">
      {place !== 'first' && <title>{settings.window(title)}</title>}
      {place === 'screen' && <BackToSettings />}
      <Title id={id} order={place === 'first' ? 2 : 1} size={place === 'screen' ? 'h1' : 20} tabIndex={-1}>
        {title}
      </Title>
      {parts.map((part) =>
        part.title === undefined ? (
          <Paper key={name} {...(part.blocks ? { bg: 'none' } : { withBorder: true, className: ui.card })}>
            <part.Content />
          </Paper>
        ) : (
          <Titled key={part.title} {...part} />
        ),
      )}
    </Flex>
  )
}

function Titled({ hash, title, Content }: Part) {
  const id = useId()
  return (
    <Paper component="section" withBorder className={ui.card} id={hash} aria-labelledby={id}>
      <Stack>
        <Title id={id} order={2} size="h3">
          {title}
        </Title>
        <Content />
      </Stack>
    </Paper>
  )
}
