import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useRef } from 'react'
import { identitiesQuery } from '../../data/identities'
import { settings } from '../../i18n/settings'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { AddIdentity } from './AddIdentity'
import { IdentityRow } from './IdentityRow'
import ui from '../../ui/ui.module.css'

/** What the person signs in with. The only one that the installation offers has no action. */
export function Identities() {
  const query = useQuery(identitiesQuery())
  const list = useRef<HTMLDivElement>(null)
  const error = useLocation({ select: ({ search }) => (search as { error?: string }).error })
  return (
    <Stack>
      <Text c="dimmed">{settings.identities.text}</Text>
      {error && (
        <Text role="alert" c="danger">
          {settings.identities.errors[error] ?? settings.identities.addFailed}
        </Text>
      )}
      <div ref={list} tabIndex={-1}>
        <Loaded query={query} skeleton={<BlockSkeleton height={68} />}>
          {(identities) => (
            <Box component="ul" my={-12} className={ui.rows}>
              {identities.map((identity) => (
                <IdentityRow
                  key={identity.id}
                  identity={identity}
                  removable={identities.some(({ id, kind }) => kind !== undefined && id !== identity.id)}
                  onRemove={() => list.current?.focus()}
                />
              ))}
            </Box>
          )}
        </Loaded>
      </div>
      <AddIdentity />
    </Stack>
  )
}
