import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Channel, Draft } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { draftsQuery } from '../../data/drafts'
import { studio } from '../../i18n/studio'
import { studioPageOf } from '../../lib/paths'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { DatedMoment } from '../../ui/DatedMoment'
import { LinkButton } from '../../ui/LinkButton'
import { deleteDraftMutation } from './draft-mutations'

const words = studio.drafts

/** What the person has begun to write in a channel, on any device. */
export function Drafts({ channel }: { channel: Channel }) {
  const { data: drafts = [] } = useQuery(draftsQuery(channel))
  if (drafts.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="drafts" gap={8}>
      <Title id="drafts" order={2} size="h3">
        {words.title}
      </Title>
      <ul>
        {drafts.map((draft) => (
          <DraftRow key={draft.id} channel={channel} draft={draft} />
        ))}
      </ul>
    </Stack>
  )
}

function DraftRow({ channel, draft: { id, content, updatedAt } }: { channel: Channel; draft: Draft }) {
  const remove = useMutation(deleteDraftMutation(channel))
  const { title = '', body = '' } = content
  return (
    <Paper component="li" withBorder p="12px 16px" mb={8}>
      <Text fw={600} lineClamp={2} dir="auto">
        {title.trim() || body.trim() || words.untitled}
      </Text>
      {title.trim() && (
        <Text c="dimmed" fz="sm" lineClamp={1} dir="auto">
          {body}
        </Text>
      )}
      <Group justify="space-between" gap={8}>
        <Text c="dimmed" fz="sm">
          <DatedMoment at={updatedAt} />
        </Text>
        <Group gap={8}>
          <LinkButton {...studioPageOf(channel, 'write', { draft: id })} size="sm" variant="default" px={12}>
            {words.goOn}
          </LinkButton>
          <ConfirmButton
            size="sm"
            variant="subtle"
            color="danger"
            px={12}
            ms={-8}
            question={words.removeQuestion}
            text={words.removeText}
            loading={remove.isPending}
            onConfirm={() => remove.mutate(id)}
          >
            {words.remove}
          </ConfirmButton>
        </Group>
      </Group>
    </Paper>
  )
}
