import { Flex, Paper, Title } from '@mantine/core'
import { useId } from 'react'
import { settings } from '../../i18n/settings'
import { BackToSettings } from '../../ui/BackToSettings'
import ui from '../../ui/ui.module.css'
import { Section as Titled } from './Section'
import type { Section } from './section'

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
      {parts.map(({ hash, title, blocks, Content }) =>
        title === undefined ? (
          <Paper key={name} {...(blocks ? { bg: 'none' } : { withBorder: true, className: ui.card })}>
            <Content />
          </Paper>
        ) : (
          <Titled key={title} hash={hash} title={title}>
            <Content />
          </Titled>
        ),
      )}
    </Flex>
  )
}
