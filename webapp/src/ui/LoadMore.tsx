import { Button, Center } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { words } from '../i18n/words'

type Props = { onLoad: () => void; loading: boolean; failed?: boolean }

/** A button that also loads when it is scrolled into view. After a failure it waits for a click. */
export function LoadMore({ onLoad, loading, failed = false }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const load = useRef(onLoad)
  useEffect(() => {
    load.current = onLoad
  })
  useEffect(() => {
    if (loading || failed || !place.current) return undefined
    // the observer may report several changes at once: the last one is current
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && load.current())
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [loading, failed])
  return (
    <Center ref={place} py={16}>
      <Button variant="default" loading={loading} onClick={onLoad}>
        {failed ? words.tryAgain : words.loadMore}
      </Button>
    </Center>
  )
}
