import { Button, Flex, NativeSelect, Paper, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconDownload, IconSearch, IconServer } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type EntrySearch, entriesQuery, isElsewhere } from '../../data/waitlist-entries'
import { admin } from '../../i18n/admin'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { EmptyState } from '../../ui/EmptyState'
import { EntryRow } from './EntryRow'
import { InviteNext } from './InviteNext'
import { PagedList } from './PagedList'
import { exportEntriesMutation, inviteMutation } from './mutations'
import { type ScreenProps, oneOf } from './search'
import classes from './admin.module.css'

/** The waiting list: who is in it, inviting, and the export. */
export function Waitlist(props: ScreenProps) {
  if (isElsewhere()) {
    return <EmptyState icon={<IconServer />} title={admin.waitlist.elsewhere} text={admin.waitlist.elsewhereText} />
  }
  return <Entries {...props} />
}

function Entries({ search: given, onSearch }: ScreenProps) {
  const status = oneOf(admin.waitlist.statuses, given.status, '')
  const search: EntrySearch = { q: given.q, status: status === '' ? undefined : status }
  const query = useInfiniteQuery(entriesQuery(search))
  const exporting = useMutation(exportEntriesMutation())
  const [chosen, setChosen] = useState<readonly string[]>([])
  const searchSoon = useDebouncedCallback((text: string) => onSearch({ ...search, q: text.trim() || undefined }), 250)
  const total = query.data?.pages.at(-1)?.meta.total
  const choose = (email: string) =>
    setChosen((before) => (before.includes(email) ? before.filter((each) => each !== email) : [...before, email]))
  return (
    <>
      <InviteNext />
      <Flex component="search" wrap="wrap" align="flex-end" gap="8px 16px">
        <TextInput
          type="search"
          flex="1 1 220px"
          label={admin.waitlist.search}
          leftSection={<IconSearch size={20} />}
          defaultValue={search.q}
          maxLength={100}
          onChange={(event) => searchSoon(event.currentTarget.value)}
        />
        <NativeSelect
          flex="1 1 150px"
          label={admin.waitlist.status}
          value={status}
          data={Object.entries(admin.waitlist.statuses).map(([value, label]) => ({ value, label }))}
          onChange={(event) => onSearch({ ...search, status: event.currentTarget.value || undefined })}
        />
        <Button
          variant="default"
          leftSection={<IconDownload size={20} />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate(search)}
        >
          {admin.waitlist.export}
        </Button>
      </Flex>
      {total !== undefined && (
        <Text maw="68ch" c="dimmed">
          {admin.waitlist.total(total)}
        </Text>
      )}
      <PagedList query={query} label={admin.titles.waitlist} empty={admin.waitlist.empty}>
        {(entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            chosen={chosen.includes(entry.email)}
            onChoose={() => choose(entry.email)}
          />
        )}
      </PagedList>
      {chosen.length > 0 && <InviteChosen emails={chosen} onInvited={() => setChosen([])} />}
    </>
  )
}

function InviteChosen({ emails, onInvited }: { emails: readonly string[]; onInvited: () => void }) {
  const invite = useMutation(inviteMutation())
  return (
    <Paper withBorder shadow="md" px={16} py={12} className={classes.sticky}>
      <ConfirmButton
        loading={invite.isPending}
        question={admin.waitlist.question(emails.length)}
        text={admin.waitlist.questionText}
        action={admin.waitlist.send}
        onConfirm={() => invite.mutate({ emails: [...emails] }, { onSuccess: onInvited })}
      >
        {admin.waitlist.inviteChosen(emails.length)}
      </ConfirmButton>
    </Paper>
  )
}
