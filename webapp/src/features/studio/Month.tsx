import { ActionIcon, Group, Text, Title } from '@mantine/core'
import type { Channel, Notification, Template } from '@sininho/sdk'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { templatesQuery } from '../../data/drafts'
import { scheduledQuery } from '../../data/studio'
import { language } from '../../i18n/language'
import { numbers } from '../../i18n/numbers'
import { dayLabel, groupByDay } from '../../lib/dates'
import { studioPageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { Loaded } from '../../ui/Loaded'
import { PageTitle } from '../../ui/PageTitle'
import { BlockSkeleton } from '../../ui/skeletons'
import { dateOf, monthOf, weeksOf } from './weeks'
import { MonthTable } from './MonthTable'
import { ScheduledRow } from './ScheduledRow'
import { plannedOn } from './plan'
import { TemplateRow } from './TemplateRow'

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
  const { data: templates = [] } = useQuery(templatesQuery(channel))
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      <PageTitle>{words.title}</PageTitle>
      <Loaded query={query} skeleton={<BlockSkeleton height={320} />}>
        {(scheduled) => <Days channel={channel} scheduled={scheduled} templates={templates} {...day} />}
      </Loaded>
    </>
  )
}

const momentOf = ({ scheduledAt }: Notification) => new Date(scheduledAt!)

const monthAndYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' })

type DaysProps = Props & { scheduled: readonly Notification[]; templates: readonly Template[] }

function Days({ channel, scheduled, templates, opened, onOpen }: DaysProps) {
  const [month, setMonth] = useState(() => monthOf(firstShown(scheduled, opened)))
  const byDay = new Map(groupByDay(scheduled, momentOf).map(({ items }) => [dateOf(momentOf(items[0]!)), items]))
  const plans = useMemo(() => templates.map((template) => ({ template, isOn: plannedOn(template) })), [templates])
  const dueOn = (day: Date) => {
    const items = byDay.get(dateOf(day)) ?? []
    const planned = plans.filter(({ isOn }) => isOn(day)).map(({ template }) => template)
    return { items, planned, count: items.length + planned.length }
  }
  const isInMonth = weeksOf(month).some((week) => week.some((day) => day && dueOn(day).count > 0))
  const day = opened ? dayOf(opened) : undefined
  const due = day && dueOn(day)
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
        countOf={(each) => dueOn(each).count}
        opened={opened}
        onOpen={(each) => onOpen(each === opened ? undefined : each)}
      />
      <div role="status">{!isInMonth && <Text c="dimmed">{words.none}</Text>}</div>
      {due && due.count > 0 && (
        <section aria-labelledby="day">
          <Title id="day" order={2} size="h3" mb={8} tabIndex={-1}>
            {dayLabel(day)}
          </Title>
          <ul>
            {due.items.map((notification) => (
              <ScheduledRow key={notification.id} channel={channel} notification={notification} />
            ))}
            {due.planned.map((template) => (
              <TemplateRow key={template.id} channel={channel} template={template} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The day that is opened, else that of what goes out next. */
function firstShown([next]: readonly Notification[], opened = '') {
  return dayOf(opened) ?? (next ? momentOf(next) : new Date())
}

/** The day of a date, unless it is none. */
function dayOf(date: string) {
  const day = new Date(`${date}T00:00`)
  return Number.isNaN(day.getTime()) ? undefined : day
}
