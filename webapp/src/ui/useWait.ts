import { useEffect, useState } from 'react'

/** From an answer that asked to wait so many seconds: until when, and whether that is still to come. */
export function useWait(seconds: number | undefined, since: number) {
  const [over, setOver] = useState<number>()
  const until = seconds === undefined ? undefined : since + seconds * 1000
  useEffect(() => {
    if (until === undefined) return undefined
    const timer = setTimeout(() => setOver(until), until - Date.now())
    return () => clearTimeout(timer)
  }, [until])
  return { until: until === undefined ? undefined : new Date(until), waiting: until !== undefined && over !== until }
}
