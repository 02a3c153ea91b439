import { Badge, Text } from '@mantine/core'
import type { FailingEventEndpoint } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { failingEndpointsQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { responses } from '../../i18n/responses'
import { agoLabel, isPast, untilLabel } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { PagedList } from './PagedList'
import { Row } from './Row'

/** The event endpoints of all publishers that fail. */
export function FailingEndpoints() {
  const query = useInfiniteQuery(failingEndpointsQuery())
  return (
    <>
      <Text maw="68ch" c="dimmed">
        {admin.endpoints.text}
      </Text>
      <PagedList query={query} label={admin.titles.endpoints} empty={admin.endpoints.empty}>
        {(endpoint) => <Endpoint key={endpoint.id} endpoint={endpoint} />}
      </PagedList>
    </>
  )
}

function Endpoint({ endpoint }: { endpoint: FailingEventEndpoint }) {
  const { name, host, publisherSlug, failingSince, lastStatus, lastError, pending } = endpoint
  const error = lastError ? (responses.errors[lastError] ?? lastError) : responses.unknown
  const cause = lastStatus ? responses.status(lastStatus) : error
  return (
    <Row
      name={
        <>
          {name} {admin.endpoints.publisher(publisherSlug)}
        </>
      }
      actions={
        <Badge variant={endpoint.enabled ? 'light' : 'outline'} color={endpoint.enabled ? 'brand' : 'danger'}>
          <State of={endpoint} />
        </Badge>
      }
    >
      <Text mt={2} fz={15}>
        <code>{host}</code>: {cause}
      </Text>
      <Meta sentence>
        {failingSince && <Moment at={failingSince} label={(date) => admin.endpoints.since(agoLabel(date))} />}
        {admin.endpoints.pending(pending)}
      </Meta>
    </Row>
  )
}

function State({ of: { enabled, disabledAt, pausedUntil } }: { of: FailingEventEndpoint }) {
  if (!enabled && disabledAt) return <Moment at={disabledAt} label={(date) => admin.endpoints.off(agoLabel(date))} />
  if (!enabled) return <>{admin.endpoints.off('')}</>
  if (!pausedUntil || isPast(new Date(pausedUntil))) return <>{admin.endpoints.trying}</>
  return <Moment at={pausedUntil} label={(date) => admin.endpoints.paused(untilLabel(date))} />
}
