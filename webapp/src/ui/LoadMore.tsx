import { Button, Center } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { words } from '../i18n/words'

type Query = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>
type Props = {
  query: Query
  /** Whether it loads when scrolled into view. */
  byItself?: boolean
}

/** A button for the next page, while there is one. It also loads when scrolled into view, but not after a failure. */
export function LoadMore({ query, byItself = true }: Props) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const place = useRef<HTMLDivElement>(null)
  const load = useEffectEvent(() => void fetchNextPage())
  const waiting = byItself && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!waiting || !place.current) return undefined
    // the observer may report several changes at once: the last one is current
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && load())
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [waiting])
  return (
    hasNextPage && (
      <Center ref={place} py={16}>
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchNextPageError ? words.tryAgain : words.loadMore}
        </Button>
      </Center>
    )
  )
}
