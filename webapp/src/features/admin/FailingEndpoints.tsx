import type { FailingEventEndpoint } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { failingEndpointsQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { agoLabel, isPast, untilLabel } from '../../lib/dates'
import { Meta } from '../../ui/Meta'
import { PagedList } from './PagedList'
import shared from './admin.module.css'

/** The event endpoints of all publishers that fail. */
export function FailingEndpoints() {
  const query = useInfiniteQuery(failingEndpointsQuery())
  return (
    <>
      <p className={shared.text}>{admin.endpoints.text}</p>
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
    <li className={shared.row}>
      <div className={shared.words}>
        <p className={shared.name}>
          {name} {admin.endpoints.publisher(publisherSlug)}
        </p>
        <p className={shared.body}>
          <span className={shared.code}>{host}</span>: {cause}
        </p>
        <Meta sentence>
          {failingSince && admin.endpoints.since(agoLabel(new Date(failingSince)))}
          {admin.endpoints.pending(pending)}
        </Meta>
      </div>
      <span className={endpoint.enabled ? shared.tag : `${shared.tag} ${shared.off}`}>{stateOf(endpoint)}</span>
    </li>
  )
}

function stateOf({ enabled, disabledAt, pausedUntil }: FailingEventEndpoint) {
  if (!enabled) return admin.endpoints.off(disabledAt ? agoLabel(new Date(disabledAt)) : '')
  if (pausedUntil && !isPast(new Date(pausedUntil))) return admin.endpoints.paused(untilLabel(new Date(pausedUntil)))
  return admin.endpoints.trying
}
