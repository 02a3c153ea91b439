import { Box, Stack, Text } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useRef } from 'react'
import { identitiesQuery } from '../../data/identities'
import { passkeysQuery } from '../../data/passkeys'
import { authQuery } from '../../data/session'
import { settings } from '../../i18n/settings'
import { Loaded } from '../../ui/Loaded'
import { onDemand } from '../../ui/onDemand'
import { BlockSkeleton } from '../../ui/skeletons'
import { AddIdentity } from './AddIdentity'
import { IdentityRow } from './IdentityRow'
import ui from '../../ui/ui.module.css'

const Passkeys = onDemand(() => import('./Passkeys'), <BlockSkeleton height={180} />)

/** What the person signs in with: accounts and addresses, unless there are passkeys alone, and passkeys. */
export function Identities() {
  const { data: identities } = useQuery(identitiesQuery())
  const { data: auth } = useQuery(authQuery())
  const byPasskey = auth?.signInMethods.some(isPasskey) ?? false
  const alone = byPasskey && auth!.signInMethods.every(isPasskey) && !identities?.length
  return (
    <Stack>
      {!alone && <Accounts byPasskey={byPasskey} />}
      {byPasskey && <Passkeys />}
    </Stack>
  )
}

const isPasskey = ({ kind }: SignInMethod) => kind === 'passkey'

/** The only way in that the installation offers has no action. */
function Accounts({ byPasskey }: { byPasskey: boolean }) {
  const query = useQuery(identitiesQuery())
  const { data: passkeys = [] } = useQuery({ ...passkeysQuery(), enabled: byPasskey })
  const list = useRef<HTMLDivElement>(null)
  const error = useLocation({ select: ({ search }) => (search as { error?: string }).error })
  return (
    <>
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
                  removable={
                    passkeys.length > 0 || identities.some(({ id, kind }) => kind !== undefined && id !== identity.id)
                  }
                  onRemove={() => list.current?.focus()}
                />
              ))}
            </Box>
          )}
        </Loaded>
      </div>
      <AddIdentity />
    </>
  )
}
