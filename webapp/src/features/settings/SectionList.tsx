import { Flex, Text } from '@mantine/core'
import { IconChevronRight, IconShieldCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { settings } from '../../i18n/settings'
import classes from '../../ui/sidebar.module.css'
import type { Section, SectionName } from './section'
import { useSummaries } from './useSummaries'

type Props = {
  sections: readonly Section[]
  /** The section that is shown beside the list. Without it, the list is a screen of its own. */
  current?: SectionName
  operator?: boolean
  /** A button that is rendered as the last row. */
  children: ReactNode
}

/** Leads to the sections and, operators, to their screens. */
export function SectionList({ sections, current, operator, children }: Props) {
  const summaries = useSummaries({ enabled: !current })
  const row = current ? classes.item : classes.row
  return (
    <div className={current ? classes.beside : classes.screen}>
      <nav aria-label={settings.parts}>
        <ul>
          {sections.map(({ name, Icon }) => (
            <li key={name}>
              <Link
                to="/settings/$section"
                params={{ section: name }}
                state={{ fromList: !current }}
                aria-current={name === current ? 'page' : undefined}
                className={row}
              >
                <Icon aria-hidden color={current ? undefined : 'var(--accent)'} />
                {current ? (
                  settings.sections[name].title
                ) : (
                  <Described
                    title={settings.sections[name].title}
                    text={summaries[name] ?? settings.sections[name].text}
                  />
                )}
              </Link>
            </li>
          ))}
          {operator && (
            <li>
              <Link to="/admin/$" params={{ _splat: '' }} state={{ fromList: !current }} className={row}>
                <IconShieldCog aria-hidden color={current ? undefined : 'var(--accent)'} />
                {current ? settings.operators : <Described title={settings.operators} />}
              </Link>
            </li>
          )}
        </ul>
      </nav>
      <div className={classes.foot}>{children}</div>
    </div>
  )
}

function Described({ title, text }: { title: string; text?: string }) {
  return (
    <>
      <Flex component="span" gap={2} flex={1} miw={0} direction="column">
        <Text span fw={550}>
          {title}
        </Text>
        {text && (
          <Text span truncate c="dimmed" fz="sm" dir="auto">
            {text}
          </Text>
        )}
      </Flex>
      <IconChevronRight size={20} aria-hidden color="var(--mantine-color-dimmed)" />
    </>
  )
}
