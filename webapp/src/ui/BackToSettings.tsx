import { Box } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { words } from '../i18n/words'
import { BackLink } from './BackLink'

/**
 * Leads from a page within the preferences to their list, on phones, where nothing else says where one is: back, if that
 * is where one came from, so that it is not twice in the history.
 */
export function BackToSettings() {
  const { history } = useRouter()
  const fromList = useLocation({ select: ({ state }) => state.fromList })
  const back = (event: MouseEvent) => {
    if (!fromList || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    history.back()
  }
  return (
    <Box hiddenFrom="sm" my="-8px -14px">
      <BackLink to="/settings" onClick={back}>
        {words.settings.title}
      </BackLink>
    </Box>
  )
}
