import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { afterPaint } from '../../lib/idle'
import { useWide } from '../../ui/useWide'

/**
 * Returns the id of the notification that is shown beside the list, and functions that show one there or none: `show`
 * at once, and `select` when the answer to a click is painted. All are undefined where there is no room for that.
 */
export function useBeside(openId: string | undefined) {
  const navigate = useNavigate({ from: '/feed' })
  const show = useCallback(
    (notification: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, notification }), replace: true, resetScroll: false }),
    [navigate],
  )
  const select = useCallback((id: string) => afterPaint(() => show(id)), [show])
  return useWide() ? { beside: openId, show, select } : {}
}
