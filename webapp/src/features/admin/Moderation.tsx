import { Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Account, Channel, Publisher, Suspension } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { accountsQuery, allChannelsQuery, allPublishersQuery } from '../../data/moderation'
import { admin } from '../../i18n/admin'
import { dateLabel } from '../../lib/spans'
import { formatChannel, pageOf } from '../../lib/paths'
import { Choice } from '../../ui/Choice'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { PagedList } from './PagedList'
import { Row } from './Row'
import { SearchForm } from './SearchForm'
import { SuspendButton } from './SuspendButton'
import type { Suspendable } from './mutations'
import { type ScreenProps, oneOf } from './search'

/** Finds channels, publishers and accounts, suspends them and ends suspensions. */
export function Moderation({ search, onSearch }: ScreenProps) {
  const { q } = search
  const kind = oneOf(admin.moderation.kinds, search.kind, 'channels')
  const List = found[kind]
  return (
    <>
      <div>
        <Choice
          label={admin.moderation.kind}
          options={admin.moderation.kinds}
          value={kind}
          onChange={(value) => onSearch({ kind: value === 'channels' ? undefined : value })}
        />
      </div>
      <SearchForm
        key={kind}
        type="search"
        label={admin.moderation.search[kind]}
        placeholder={admin.moderation.hint[kind]}
        leftSection={<IconSearch size={20} />}
        maxLength={200}
        action={admin.moderation.submit}
        value={q}
        onSearch={(text) => onSearch({ ...search, q: text })}
      />
      {!q && (
        <Text maw="68ch" c="dimmed">
          {admin.moderation.suspended}
        </Text>
      )}
      <List q={q} />
    </>
  )
}

type FoundProps = { q?: string }
const empty = (q?: string) => (q ? admin.moderation.notFound : admin.moderation.none)

function Channels({ q }: FoundProps) {
  const query = useInfiniteQuery(allChannelsQuery(q))
  return (
    <PagedList query={query} label={admin.moderation.kinds.channels} empty={empty(q)}>
      {(channel) => <ChannelRow key={channel.id} channel={channel} />}
    </PagedList>
  )
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { publisherSlug, slug, name, suspension, subscriberCount, visibility } = channel
  const address = formatChannel(channel)
  return (
    <Found
      name={<Link {...pageOf(channel)}>{name}</Link>}
      meta={[
        address,
        admin.moderation.subscribers(subscriberCount),
        ...(visibility === 'unlisted' ? [admin.moderation.unlisted] : []),
      ]}
      suspension={suspension}
      what={{ kind: 'channel', publisherSlug, channelSlug: slug }}
      address={address}
    />
  )
}

function Publishers({ q }: FoundProps) {
  const query = useInfiniteQuery(allPublishersQuery(q))
  return (
    <PagedList query={query} label={admin.moderation.kinds.publishers} empty={empty(q)}>
      {(publisher) => <PublisherRow key={publisher.id} publisher={publisher} />}
    </PagedList>
  )
}

function PublisherRow({ publisher: { slug, name, channelCount, suspension } }: { publisher: Publisher }) {
  return (
    <Found
      name={name}
      meta={[slug, admin.moderation.channels(channelCount)]}
      suspension={suspension}
      what={{ kind: 'publisher', publisherSlug: slug }}
      address={slug}
    />
  )
}

function Accounts({ q }: FoundProps) {
  const query = useInfiniteQuery(accountsQuery(q))
  return (
    <PagedList query={query} label={admin.moderation.kinds.accounts} empty={empty(q)}>
      {(account) => <AccountRow key={account.id} account={account} />}
    </PagedList>
  )
}

function AccountRow({ account: { id, name, email, createdAt, suspension } }: { account: Account }) {
  return (
    <Found
      name={name}
      meta={[email, <Moment key="at" at={createdAt} label={(date) => admin.moderation.since(dateLabel(date))} />]}
      suspension={suspension}
      what={{ kind: 'account', id }}
      address={email ?? name}
    />
  )
}

const found = { channels: Channels, publishers: Publishers, accounts: Accounts }

type RowProps = {
  name: ReactNode
  meta: ReactNode[]
  suspension: Suspension | undefined
  what: Suspendable
  address: string
}

function Found({ name, meta, suspension, what, address }: RowProps) {
  return (
    <Row name={name} actions={<SuspendButton what={what} name={address} suspended={suspension !== undefined} />}>
      <Meta>{meta}</Meta>
      {suspension && (
        <Text mt={2} c="danger" fz="sm">
          <Moment
            at={suspension.suspendedAt}
            label={(date) => admin.moderation.reason(dateLabel(date), suspension.reason)}
          />
        </Text>
      )}
    </Row>
  )
}
