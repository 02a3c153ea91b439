import { Button, Group, Stack, Text } from '@mantine/core'
import type { Channel, Webhook, WebhookEvent } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { webhookEventQuery } from '../../data/webhooks'
import { webhooks } from '../../i18n/webhooks'
import { studioPageOf } from '../../lib/paths'
import { DatedMoment } from '../../ui/DatedMoment'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { Fold, Summary } from './Fold'
import { Rendered } from './Rendered'
import { Sent } from './Sent'
import classes from './studio.module.css'
import { replayMutation } from './webhook-mutations'
import { previewOf } from './webhook'

const words = webhooks.events

type Props = { channel: Channel; webhook: Webhook; event: WebhookEvent }

/** Something that was sent to a webhook which, unfolded, shows what became of it and can be sent again. */
export const WebhookEventRow = ({ channel, webhook, event }: Props) => (
  <li>
    <Fold
      summary={
        <Summary name={event.kind || words.kind} lang={event.kind && 'en'}>
          {words.outcomes[event.outcome] ?? event.outcome}
          <DatedMoment at={event.receivedAt} />
        </Summary>
      }
    >
      <Opened channel={channel} webhook={webhook} event={event} />
    </Fold>
  </li>
)

function Opened({ channel, webhook, event: { id, kind, outcome, notificationId, detail, adjusted = [] } }: Props) {
  const query = useQuery(webhookEventQuery(channel, webhook.id, id))
  const replay = useMutation(replayMutation(channel, webhook.id, id))
  return (
    <Stack gap={8}>
      <Text>{words.why[outcome]}</Text>
      {detail && (
        <Text c="dimmed" fz="sm" lang="en">
          {detail}
        </Text>
      )}
      {adjusted.length > 0 && (
        <Text c="dimmed" fz="sm">
          {words.adjusted}{' '}
          <span lang="en">{adjusted.map(({ pointer, reason }) => `${pointer} ${reason}`).join('; ')}</span>
        </Text>
      )}
      <Group gap={8}>
        {notificationId && (
          <LinkButton {...studioPageOf(channel, '', { id: notificationId })} size="sm" variant="default">
            {words.see}
          </LinkButton>
        )}
        {outcome !== 'published' && (
          <Button
            size="sm"
            variant="default"
            aria-label={words.replayOf(kind || words.kind)}
            loading={replay.isPending}
            onClick={() => replay.mutate()}
          >
            {words.replay}
          </Button>
        )}
      </Group>
      <Loaded query={query} skeleton={<BlockSkeleton height={52} />}>
        {({ payload, headers }) =>
          payload ? (
            <div>
              <Fold summary={<span className={classes.grow}>{words.preview}</span>}>
                <Rendered channel={channel} input={previewOf(webhook, payload, headers)} />
              </Fold>
              <Sent title={words.payload} content={payload} />
            </div>
          ) : (
            <Text c="dimmed" fz="sm">
              {words.notKept}
            </Text>
          )
        }
      </Loaded>
    </Stack>
  )
}
