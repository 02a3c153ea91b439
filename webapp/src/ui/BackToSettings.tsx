import { Box } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { words } from '../i18n/words'
import { BackLink } from './BackLink'
import { useBack } from './useBack'

/** Leads from a page within the preferences to their list, on phones, where nothing else says where one is. */
export function BackToSettings() {
  const fromList = useLocation({ select: ({ state }) => state.fromList === true })
  const back = useBack(() => fromList)
  return (
    <Box hiddenFrom="sm" my="-8px -14px">
      <BackLink to="/settings" onClick={back}>
        {words.settings.title}
      </BackLink>
    </Box>
  )
}
