import { Button, Stack, Text } from '@mantine/core'
import type { EventDelivery, EventEndpoint } from '@sininho/sdk'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { eventDeliveriesQuery, eventDeliveryQuery } from '../../data/event-endpoints'
import { endpoints } from '../../i18n/endpoints'
import { number } from '../../i18n/words'
import { untilLabel } from '../../lib/spans'
import { DatedMoment } from '../../ui/DatedMoment'
import { Loaded } from '../../ui/Loaded'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { BlockSkeleton } from '../../ui/skeletons'
import { responseOf } from './endpoint'
import { endpointMutations } from './endpoint-mutations'
import { Fold, Summary } from './Fold'
import { Log } from './Log'
import { Sent } from './Sent'

const { types, log: words } = endpoints

type Props = { publisher: string; endpoint: EventEndpoint }

/** What was sent to a program, the latest first, and how it responded. */
export const EndpointDeliveries = ({ publisher, endpoint }: Props) => (
  <Log title={words.title} none={words.none} query={useInfiniteQuery(eventDeliveriesQuery(publisher, endpoint.id))}>
    {(delivery) => (
      <li key={delivery.id}>
        <Fold
          summary={
            <Summary name={types[delivery.type] ?? delivery.type}>
              <Text span fz="inherit" c={delivery.status === 'failed' ? 'danger' : undefined}>
                {words.statuses[delivery.status] ?? delivery.status}
              </Text>
              <DatedMoment at={delivery.createdAt} />
            </Summary>
          }
        >
          <Opened publisher={publisher} endpoint={endpoint} delivery={delivery} />
        </Fold>
      </li>
    )}
  </Log>
)

/** The attempts of a delivery, and what was sent for whoever asks. */
function Opened({ publisher, endpoint, delivery: { id, type } }: Props & { delivery: EventDelivery }) {
  const query = useQuery(eventDeliveryQuery(publisher, endpoint.id, id))
  const resend = useMutation(endpointMutations(publisher, endpoint.id).resend)
  return (
    <Loaded query={query} skeleton={<BlockSkeleton height={96} />}>
      {({ attempts, nextAttemptAt, payload }) => (
        <Stack gap={8}>
          <ul>
            {attempts.map((attempt) => (
              <li key={attempt.at}>
                <Meta sentence>
                  {words.attempt(responseOf(attempt), number(attempt.durationMs))}
                  <DatedMoment at={attempt.at} />
                </Meta>
              </li>
            ))}
          </ul>
          {nextAttemptAt && (
            <Text c="dimmed" fz="sm">
              <Moment at={nextAttemptAt} label={(date) => words.next(untilLabel(date))} />
            </Text>
          )}
          <div>
            <Button
              size="sm"
              variant="default"
              aria-label={words.resendOf(types[type] ?? type)}
              loading={resend.isPending}
              onClick={() => resend.mutate(id)}
            >
              {words.resend}
            </Button>
          </div>
          <div>
            <Sent title={words.payload} content={payload} />
          </div>
        </Stack>
      )}
    </Loaded>
  )
}
