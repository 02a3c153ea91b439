import { useEffect, useState } from 'react'
import { serverTime } from '../../data/server-time'

/** Seconds before a moment from which on they are counted. */
const counted = 15

const secondsUntil = (time: number) => Math.max(Math.ceil((time - serverTime()) / 1000), 0)

/** The seconds until a moment, while there are few; undefined before that. */
export function useCountdown(at: Date): number | undefined {
  const time = at.getTime()
  const [left, setLeft] = useState(() => secondsUntil(time))
  useEffect(() => {
    const tick = () => setLeft(secondsUntil(time))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [time])
  return left > counted ? undefined : left
}
