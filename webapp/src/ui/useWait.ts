import { useEffect, useState } from 'react'

/** Returns the end of a wait that the server asked for in seconds, and whether it is still running. */
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
