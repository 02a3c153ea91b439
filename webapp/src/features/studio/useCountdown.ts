import { useEffect, useState } from 'react'

/** Seconds before a moment from which on they are counted. */
const counted = 15

export const secondsLeft = (at: Date, now = Date.now()) => Math.max(Math.ceil((at.getTime() - now) / 1000), 0)

/** The seconds until a moment, while there are few; undefined before that. */
export function useCountdown(at: Date): number | undefined {
  const time = at.getTime()
  const [left, setLeft] = useState(() => secondsLeft(at))
  useEffect(() => {
    const tick = () => setLeft(secondsLeft(new Date(time)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [time])
  return left > counted ? undefined : left
}
