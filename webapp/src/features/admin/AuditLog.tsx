import { Text } from '@mantine/core'
import type { AuditEntry } from '@sininho/sdk'
import { IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { auditLogQuery } from '../../data/moderation'
import { admin } from '../../i18n/admin'
import { isMissing } from '../../lib/api'
import { pageOf, publisherPageOf } from '../../lib/paths'
import { EmptyState } from '../../ui/EmptyState'
import { Meta } from '../../ui/Meta'
import { PagedList } from './PagedList'
import { Row } from './Row'
import { SearchForm } from './SearchForm'
import classes from './admin.module.css'
import type { ScreenProps } from './search'

/** Who changed what. */
export function AuditLog({ search: { publisher }, onSearch }: ScreenProps) {
  const query = useInfiniteQuery(auditLogQuery(publisher))
  return (
    <>
      <SearchForm
        label={admin.audit.publisher}
        placeholder={admin.audit.publisherHint}
        maxLength={63}
        autoCapitalize="none"
        action={admin.audit.filter}
        value={publisher}
        onSearch={(text) => onSearch({ publisher: text?.toLowerCase() })}
      />
      {isMissing(query.error) ? (
        <EmptyState icon={<IconSearchOff />} title={admin.audit.unknownPublisher} />
      ) : (
        <PagedList query={query} label={admin.titles.audit} empty={admin.audit.empty}>
          {(entry) => <Entry key={entry.id} entry={entry} />}
        </PagedList>
      )}
    </>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { at, action, detail } = entry
  const details = Object.entries(detail ?? {}).filter(([name]) => name !== 'channel' || !entry.channel)
  return (
    <Row
      at={at}
      name={
        <>
          {admin.audit.actions[action] ?? action} <Thing entry={entry} />
        </>
      }
    >
      {details.length > 0 && (
        <Text mt={2} fz={15}>
          {details.map(([name, value]) => `${admin.audit.details[name] ?? name}: ${value}`).join(', ')}
        </Text>
      )}
      <Meta>
        {actorOf(entry.actor)}
        {placeOf(entry)}
      </Meta>
      <Ids entry={entry} />
    </Row>
  )
}

const ofChannels = /Channel$/
const ofPublishers = /(Publisher|StorageQuota)$/
const ofPeople =
  /^(updateMember|removeMember|approveChannelMember|removeChannelMember|(un)?suspendSubscriber|deleteMe)$/

/** What was changed, by the name that it has, or had if it is gone. */
function Thing({ entry: { action, object, channel, publisherSlug, publisherName } }: { entry: AuditEntry }) {
  const { gone, object: named, account } = admin.audit
  if (ofChannels.test(action) && channel) return <Link {...pageOf(channel)}>{channel.name}</Link>
  if (ofPublishers.test(action) && publisherSlug)
    return <Link {...publisherPageOf(publisherSlug)}>{publisherName}</Link>
  if (ofPeople.test(action) && !object.name) return <>{account}</>
  if (!object.name) return null
  return <>{ofPublishers.test(action) ? gone(named(object.name)) : named(object.name)}</>
}

/** The channel and the publisher that it belongs to, unless it is one of them itself. */
function placeOf({ action, channel, publisherSlug, publisherName }: AuditEntry) {
  if (channel && !ofChannels.test(action)) return <Link {...pageOf(channel)}>{admin.audit.of(channel.name)}</Link>
  if (!publisherSlug || ofPublishers.test(action)) return null
  return <Link {...publisherPageOf(publisherSlug)}>{admin.audit.of(publisherName ?? publisherSlug)}</Link>
}

/** Who did it. Without a name although there is an id, it was deleted. */
function actorOf({ kind, id, name }: AuditEntry['actor']) {
  const { actors, actor, account, key } = admin.audit
  const deleted = kind === 'key' ? key : account
  return actor(actors[kind] ?? kind, name ?? (id && deleted))
}

/** What finds the change in other records. */
function Ids({ entry: { object, network, requestId } }: { entry: AuditEntry }) {
  const { more, ids } = admin.audit
  const all = Object.entries({ id: object.id, network, requestId }).filter(([, value]) => value)
  if (all.length === 0) return null
  return (
    <details className={classes.ids}>
      <summary>{more}</summary>
      {all.map(([name, value]) => (
        <div key={name}>
          {ids[name as keyof typeof ids]}: <code>{value}</code>
        </div>
      ))}
    </details>
  )
}
