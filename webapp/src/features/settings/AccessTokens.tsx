import { Box, Button, Stack, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { tokensQuery } from '../../data/access-tokens'
import { settings } from '../../i18n/settings'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { Secret } from '../../ui/Secret'
import { BlockSkeleton } from '../../ui/skeletons'
import { TokenForm } from './TokenForm'
import { TokenRow } from './TokenRow'
import { createTokenMutation } from './mutations'
import ui from '../../ui/ui.module.css'

/** The person's access tokens. The secret of a new one is shown only once. */
export function AccessTokens() {
  const query = useQuery(tokensQuery())
  const create = useMutation(createTokenMutation())
  const [writing, setWriting] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const begin = (
    <Button variant="default" leftSection={<IconPlus size={20} />} onClick={() => setWriting(true)}>
      {settings.tokens.create}
    </Button>
  )
  const none = query.data?.length === 0 && !create.data && !writing
  return (
    <Stack>
      {create.data?.secret && (
        <Secret
          title={settings.tokens.secret(create.data.name)}
          hint={settings.tokens.secretHint}
          secret={create.data.secret}
          done={settings.tokens.secretDone}
          onDone={() => {
            create.reset()
            list.current?.focus()
          }}
        />
      )}
      {!none && <Text c="dimmed">{settings.tokens.text}</Text>}
      <div ref={list} tabIndex={-1}>
        <Loaded query={query} skeleton={<BlockSkeleton height={44} />}>
          {(tokens) =>
            tokens.length === 0 ? (
              none && (
                <EmptyState bare icon={<IconKey />} title={settings.tokens.empty} text={settings.tokens.emptyText}>
                  {begin}
                  <a href="/docs/authentication" className={ui.link}>
                    {settings.tokens.how}
                  </a>
                </EmptyState>
              )
            ) : (
              <Box component="ul" my={-12} className={ui.rows}>
                {tokens.map((token) => (
                  <TokenRow key={token.id} token={token} onRevoke={() => list.current?.focus()} />
                ))}
              </Box>
            )
          }
        </Loaded>
      </div>
      {writing ? (
        <TokenForm
          pending={create.isPending}
          onCancel={() => setWriting(false)}
          onSubmit={(token) => create.mutate(token, { onSuccess: () => setWriting(false) })}
        />
      ) : (
        !none && query.data && <div>{begin}</div>
      )}
    </Stack>
  )
}
