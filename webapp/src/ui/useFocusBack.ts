import { useFocusReturn, useMounted } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

/** Returns whether the component is mounted; on unmount gives the focus back to what had it before. */
export function useFocusBack(): boolean {
  const opened = useMounted()
  const giveBack = useEffectEvent(useFocusReturn({ opened, shouldReturnFocus: false }))
  useEffect(() => () => giveBack(), [])
  return opened
}
