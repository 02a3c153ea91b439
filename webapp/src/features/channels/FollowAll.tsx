import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { channelsQuery } from '../../data/channels'
import { useSignedIn } from '../../data/useSignedIn'
import { discovery } from '../../i18n/discovery'
import { LinkButton } from '../../ui/LinkButton'
import { followPublisherMutation, mayFollow } from './follow-publisher'

/** Follows what a publisher has for everyone by one click. Renders nothing where no more than one channel is left. */
export function FollowAll({ publisher }: { publisher: string }) {
  const { data, hasNextPage } = useInfiniteQuery(channelsQuery({ publisher }))
  const follow = useMutation(followPublisherMutation())
  const signedIn = useSignedIn()
  const left = data?.pages.flatMap((page) => page.data.filter(mayFollow)) ?? []
  if (left.length < 2 && !hasNextPage) return null
  const look = { size: 'sm', variant: 'subtle', leftSection: <IconPlus size={18} aria-hidden /> } as const
  const text = discovery.publisher.followAll
  return signedIn ? (
    <Button {...look} loading={follow.isPending} onClick={() => follow.mutate(publisher)}>
      {text}
    </Button>
  ) : (
    <LinkButton {...look} to="/login" search={{ redirect: `/channels/${publisher}` }}>
      {text}
    </LinkButton>
  )
}
