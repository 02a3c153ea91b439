import { Text } from '@mantine/core'
import type { AuditEntry } from '@sininho/sdk'
import { IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { auditLogQuery } from '../../data/moderation'
import { admin } from '../../i18n/admin'
import { isMissing } from '../../lib/api'
import { dayLabel, fullLabel, timeLabel } from '../../lib/dates'
import { EmptyState } from '../../ui/EmptyState'
import { Meta } from '../../ui/Meta'
import { PagedList } from './PagedList'
import { Row } from './Row'
import { SearchForm } from './SearchForm'
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

function Entry({ entry: { at, action, actor, object, publisherSlug, detail, network } }: { entry: AuditEntry }) {
  const when = new Date(at)
  const kind = admin.audit.actors[actor.kind] ?? actor.kind
  return (
    <Row
      name={
        <>
          {admin.audit.actions[action] ?? action} {object.name && admin.audit.object(object.name)}
        </>
      }
    >
      {detail && (
        <Text mt={2} fz={15}>
          {Object.entries(detail)
            .map(([name, value]) => `${admin.audit.details[name] ?? name}: ${value}`)
            .join(', ')}
        </Text>
      )}
      <Meta>
        <time dateTime={at} title={fullLabel(when)}>
          {admin.audit.when(dayLabel(when), timeLabel(when))}
        </time>
        {admin.audit.actor(kind, actor.name)}
        {publisherSlug && admin.audit.of(publisherSlug)}
        {network}
        {!object.name && object.id}
      </Meta>
    </Row>
  )
}
