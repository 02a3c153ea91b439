import { useDebouncedValue } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { takenQuery } from './studio'

/** Milliseconds without typing, after which an address is looked up. */
const pause = 400

type Address = { publisherSlug: string; slug?: string }

/** Whether there is a publisher, or its channel, with an address that is being typed. Not while it is typed. */
export function useTaken(address: Address | undefined): boolean {
  const typing = JSON.stringify(address)
  const [typed] = useDebouncedValue(typing, pause)
  const query = takenQuery(address ?? { publisherSlug: '' })
  const looked = address !== undefined && typed === typing
  const { data = false } = useQuery({ ...query, queryFn: looked ? query.queryFn : skipToken })
  return looked && data
}
