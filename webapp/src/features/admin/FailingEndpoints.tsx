import { Badge, Text } from '@mantine/core'
import type { FailingEventEndpoint } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { failingEndpointsQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { agoLabel, isPast, untilLabel } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
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
  const error = lastError ? (admin.endpoints.errors[lastError] ?? lastError) : admin.endpoints.unknown
  const cause = lastStatus ? admin.endpoints.status(lastStatus) : error
  return (
    <Row
      name={
        <>
          {name} {admin.endpoints.publisher(publisherSlug)}
        </>
      }
      actions={
        <Badge variant={endpoint.enabled ? 'light' : 'outline'} color={endpoint.enabled ? 'brand' : 'danger'}>
          {stateOf(endpoint)}
        </Badge>
      }
    >
      <Text mt={2} fz={15}>
        <code>{host}</code>: {cause}
      </Text>
      <Meta sentence>
        {failingSince && admin.endpoints.since(agoLabel(new Date(failingSince)))}
        {admin.endpoints.pending(pending)}
      </Meta>
    </Row>
  )
}

function stateOf({ enabled, disabledAt, pausedUntil }: FailingEventEndpoint) {
  if (!enabled) return admin.endpoints.off(disabledAt ? agoLabel(new Date(disabledAt)) : '')
  if (pausedUntil && !isPast(new Date(pausedUntil))) return admin.endpoints.paused(untilLabel(new Date(pausedUntil)))
  return admin.endpoints.trying
}
