import { Button, Flex, Group, Stack } from '@mantine/core'
import { IconCheck, IconMoodEmpty, IconPlus } from '@tabler/icons-react'
import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { categoriesQuery } from '../../data/categories'
import { suggestedQuery } from '../../data/channels'
import { followAllMutation } from '../../data/following'
import { onboarding } from '../../i18n/onboarding'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorPanel, OfflinePanel } from '../../ui/ErrorPanel'
import { ChannelCard } from './ChannelCard'
import { ChannelListSkeleton } from './ChannelListSkeleton'
import classes from './channels.module.css'

/** Maximum number of suggestions, taken in turn from each category. */
const limit = 12

/** The most followed channels of the categories; if they have none, of all categories. */
export function SuggestedChannels({ categoryIds }: { categoryIds: string[] }) {
  const followAll = useMutation(followAllMutation())
  const { channels, none, isPending, isPaused, error, retry } = useSuggested(categoryIds)
  if (isPending) return isPaused ? <OfflinePanel /> : <ChannelListSkeleton rows={4} joined />
  if (error && channels.length === 0) return <ErrorPanel error={error} onRetry={retry} />
  if (channels.length === 0) {
    return <EmptyState icon={<IconMoodEmpty />} title={onboarding.channels.none} text={onboarding.channels.noneText} />
  }
  const rest = channels.filter(({ following }) => !following).map(({ id }) => id)
  return (
    <Stack gap={8}>
      {none && <p role="status">{onboarding.channels.empty}</p>}
      <Group justify="space-between" gap="0 16px" mih={44}>
        <Flex component="p" gap={6} align="center" c={rest.length === 0 ? 'brand' : 'dimmed'} fz="sm" fw={600}>
          {rest.length === 0 && <IconCheck size={18} aria-hidden />}
          {onboarding.channels.followed(channels.length - rest.length, channels.length)}
        </Flex>
        {rest.length > 1 && (
          <Button
            size="sm"
            variant="subtle"
            style={{ marginInlineEnd: -16 }}
            leftSection={<IconPlus size={18} />}
            loading={followAll.isPending}
            onClick={() => followAll.mutate(rest)}
          >
            {onboarding.channels.followAll(rest.length, channels.length)}
          </Button>
        )}
      </Group>
      <ul className={classes.list} data-joined>
        {channels.map((channel) => (
          <ChannelCard key={channel.id} channel={channel} />
        ))}
      </ul>
    </Stack>
  )
}

function useSuggested(categoryIds: string[]) {
  const categories = useQuery(categoriesQuery())
  const slugs = categories.data?.filter(({ id }) => categoryIds.includes(id)).map(({ slug }) => slug) ?? []
  const lists = useQueries({
    queries: slugs.map((slug) => suggestedQuery(slug)),
    combine: (results) => ({
      isPending: results.some((each) => each.isPending),
      isPaused: results.some(({ fetchStatus }) => fetchStatus === 'paused'),
      error: results.find((each) => each.error)?.error ?? null,
      channels: inTurn(results.map(({ data = [] }) => data)).slice(0, limit),
      retry: () => results.forEach((each) => void each.refetch()),
    }),
  })
  const waiting = categoryIds.length > 0 && (categories.isPending || lists.isPending)
  const nothing = !waiting && lists.channels.length === 0 && !lists.error
  const popular = useQuery({ ...suggestedQuery(), enabled: nothing })
  if (!nothing) {
    return {
      ...lists,
      isPending: waiting,
      isPaused: lists.isPaused || categories.fetchStatus === 'paused',
      none: false,
    }
  }
  return {
    channels: popular.data ?? [],
    none: slugs.length > 0,
    isPending: popular.isPending,
    isPaused: popular.fetchStatus === 'paused',
    error: popular.error,
    retry: () => void popular.refetch(),
  }
}

/** Returns the first items of all lists, then the second items, and so on. */
function inTurn<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, row) => lists.flatMap((list) => list.slice(row, row + 1))).flat()
}
