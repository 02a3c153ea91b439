import { Box, Stack, Text } from '@mantine/core'
import type { Session } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { sessionsQuery } from '../../data/sessions'
import { settings } from '../../i18n/settings'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { SessionRow } from './SessionRow'
import { endOtherSessionsMutation } from './mutations'
import ui from '../../ui/ui.module.css'

/** The browsers in which the person is signed in. This one has no action: the list of sections ends with it. */
export function Sessions() {
  const query = useQuery(sessionsQuery())
  const list = useRef<HTMLDivElement>(null)
  const onEnd = () => list.current?.focus()
  return (
    <Stack>
      <Text c="dimmed">{settings.sessions.text}</Text>
      <div ref={list} tabIndex={-1}>
        <Loaded query={query} skeleton={<BlockSkeleton height={68} />}>
          {(sessions) => (
            <Box component="ul" my={-12} className={ui.rows}>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={onEnd} />
              ))}
            </Box>
          )}
        </Loaded>
      </div>
      {query.data && <EndOthers sessions={query.data} onEnd={onEnd} />}
    </Stack>
  )
}

function EndOthers({ sessions, onEnd }: { sessions: Session[]; onEnd: () => void }) {
  const end = useMutation(endOtherSessionsMutation())
  if (sessions.every(({ current }) => current)) return null
  return (
    <ConfirmButton
      variant="default"
      style={{ alignSelf: 'start' }}
      question={settings.sessions.endOthersQuestion}
      text={settings.sessions.endOthersText}
      onConfirm={() => {
        onEnd()
        end.mutate()
      }}
    >
      {settings.sessions.endOthers}
    </ConfirmButton>
  )
}
