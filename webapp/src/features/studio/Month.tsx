import { ActionIcon, Group, Text, Title } from '@mantine/core'
import type { Channel, Notification } from '@sininho/sdk'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { scheduledQuery } from '../../data/studio'
import { language } from '../../i18n/language'
import { numbers } from '../../i18n/numbers'
import { dayLabel, groupByDay } from '../../lib/dates'
import { studioPageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { Loaded } from '../../ui/Loaded'
import { PageTitle } from '../../ui/PageTitle'
import { BlockSkeleton } from '../../ui/skeletons'
import { dateOf, monthOf } from './weeks'
import { MonthTable } from './MonthTable'
import { ScheduledRow } from './ScheduledRow'

const words = numbers.month

type Props = {
  channel: Channel
  /** The day of which is shown what goes out, as "2026-12-24". */
  opened?: string
  onOpen: (day: string | undefined) => void
}

/** What a channel is going to publish, by the days of a month. */
export default function Month({ channel, ...day }: Props) {
  const query = useQuery(scheduledQuery(channel))
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      <PageTitle>{words.title}</PageTitle>
      <Loaded query={query} skeleton={<BlockSkeleton height={320} />}>
        {(scheduled) => <Days channel={channel} scheduled={scheduled} {...day} />}
      </Loaded>
    </>
  )
}

const momentOf = ({ scheduledAt }: Notification) => new Date(scheduledAt!)

const monthAndYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' })

function Days({ channel, scheduled, opened, onOpen }: Props & { scheduled: readonly Notification[] }) {
  const [month, setMonth] = useState(() => monthOf(firstShown(scheduled, opened)))
  const byDay = new Map(groupByDay(scheduled, momentOf).map(({ items }) => [dateOf(momentOf(items[0]!)), items]))
  const isInMonth = [...byDay.keys()].some((day) => day.startsWith(dateOf(month).slice(0, 7)))
  const due = opened ? byDay.get(opened) : undefined
  const turn = (away: number) => {
    setMonth(monthOf(month, away))
    onOpen(undefined)
  }
  return (
    <>
      <Group justify="space-between" gap={8}>
        <Title order={2} size="h3" id="month" aria-live="polite">
          {monthAndYear.format(month)}
        </Title>
        <Group gap={8}>
          <ActionIcon variant="default" size={44} aria-label={words.before} onClick={() => turn(-1)}>
            <IconChevronLeft size={20} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" size={44} aria-label={words.after} onClick={() => turn(1)}>
            <IconChevronRight size={20} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <MonthTable
        month={month}
        labelledBy="month"
        countOf={(day) => byDay.get(day)?.length ?? 0}
        opened={opened}
        onOpen={(day) => onOpen(day === opened ? undefined : day)}
      />
      <div role="status">{!isInMonth && <Text c="dimmed">{words.none}</Text>}</div>
      {due && (
        <section aria-labelledby="day">
          <Title id="day" order={2} size="h3" mb={8} tabIndex={-1}>
            {dayLabel(momentOf(due[0]!))}
          </Title>
          <ul>
            {due.map((notification) => (
              <ScheduledRow key={notification.id} channel={channel} notification={notification} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The day that is opened, else that of what goes out next. */
function firstShown([next]: readonly Notification[], opened = '') {
  const day = new Date(`${opened}T00:00`)
  if (!Number.isNaN(day.getTime())) return day
  return next ? momentOf(next) : new Date()
}
