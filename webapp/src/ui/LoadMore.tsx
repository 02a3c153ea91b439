import { useEffect, useRef } from 'react'
import { words } from '../i18n/words'
import { Button } from './Button'
import classes from './LoadMore.module.css'

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
    <div ref={place} className={classes.place}>
      <Button variant="default" size="md" loading={loading} onClick={onLoad}>
        {failed ? words.tryAgain : words.loadMore}
      </Button>
    </div>
  )
}
