import { useFocusReturn, useMounted } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

/** For what is open while it is rendered: returns whether it is, and gives the focus back to what had it before. */
export function useFocusBack(): boolean {
  const opened = useMounted()
  const giveBack = useEffectEvent(useFocusReturn({ opened, shouldReturnFocus: false }))
  useEffect(() => () => giveBack(), [])
  return opened
}
