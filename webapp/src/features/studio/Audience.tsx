import { Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { audienceQuery } from '../../data/numbers'
import { studio } from '../../i18n/studio'

const words = studio.composer

type Props = {
  channel: Channel
  important: boolean
  /** Whether what is written rings nobody, so that only readers are counted. */
  silent?: boolean
}

/** How many follow a channel and, once that is known, how many of them what is written would ring. */
export const Audience = memo(function Audience({ channel, important, silent = false }: Props) {
  const { data } = useQuery({ ...audienceQuery(channel), enabled: !silent })
  const rung = !silent && data && data.followers > 0
  return (
    <Text c="dimmed" fz="sm" role="status">
      {rung
        ? words.audience(
            data.followers,
            rounded(important ? data.ringingImportant : data.ringing, data.estimated),
            data.estimated,
          )
        : words.readers(data?.followers ?? channel.subscriberCount)}
    </Text>
  )
})

/** Of an estimate only the first two digits count. */
const rounded = (count: number, estimated: boolean) => (estimated ? Number(count.toPrecision(2)) : count)
