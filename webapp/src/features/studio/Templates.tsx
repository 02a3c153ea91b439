import { Group, Stack, Text, Title } from '@mantine/core'
import type { Channel, Template } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { templatesQuery } from '../../data/drafts'
import { scheduledQuery } from '../../data/studio'
import { plans } from '../../i18n/plans'
import { studio } from '../../i18n/studio'
import { studioPageOf } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { TemplateRow } from './TemplateRow'

const words = studio.templates

/** What is often said in a channel. */
export function Templates({ channel }: { channel: Channel }) {
  const { data: templates = [] } = useQuery(templatesQuery(channel))
  const often = templates.filter(({ plan }) => !plan)
  if (often.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="templates" gap={8}>
      <Title id="templates" order={2} size="h3">
        {words.title}
      </Title>
      <Text c="dimmed">{words.text}</Text>
      <Rows channel={channel} templates={often} />
    </Stack>
  )
}

/** What a channel publishes again and again, the soonest first. */
export function Repeating({ channel }: { channel: Channel }) {
  const { data: templates = [] } = useQuery(templatesQuery(channel))
  const { data: scheduled = [] } = useQuery(scheduledQuery(channel))
  const next = ({ nextAt = '9999' }: Template) => nextAt
  const repeating = templates.filter(({ plan }) => plan).toSorted((a, b) => next(a).localeCompare(next(b)))
  if (repeating.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="repeating" gap={8}>
      <Group justify="space-between" gap={8}>
        <Title id="repeating" order={2} size="h3">
          {plans.title}
        </Title>
        {scheduled.length === 0 && (
          <LinkButton {...studioPageOf(channel, 'month')} size="sm" variant="subtle" px={12} me={-12}>
            {studio.channel.month}
          </LinkButton>
        )}
      </Group>
      <Rows channel={channel} templates={repeating} />
    </Stack>
  )
}

const Rows = ({ channel, templates }: { channel: Channel; templates: readonly Template[] }) => (
  <ul>
    {templates.map((template) => (
      <TemplateRow key={template.id} channel={channel} template={template} />
    ))}
  </ul>
)
