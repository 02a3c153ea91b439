import { IconKey, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { tokensQuery } from '../../data/access-tokens'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { Secret } from '../../ui/Secret'
import { BlockSkeleton } from '../../ui/skeletons'
import { TokenForm } from './TokenForm'
import { TokenRow } from './TokenRow'
import { createTokenMutation } from './mutations'
import classes from './AccessTokens.module.css'

/** The person's access tokens. The secret of a new one is shown only once. */
export function AccessTokens() {
  const query = useQuery(tokensQuery())
  const create = useMutation(createTokenMutation())
  const [writing, setWriting] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const begin = (
    <Button variant="default" size="md" leftSection={<IconPlus size={20} />} onClick={() => setWriting(true)}>
      {settings.tokens.create}
    </Button>
  )
  const none = query.data?.length === 0 && !create.data && !writing
  return (
    <div className={classes.panel}>
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
      {!none && <p className={classes.text}>{settings.tokens.text}</p>}
      <div ref={list} tabIndex={-1} className={classes.tokens}>
        <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={44} />}>
          {(tokens) =>
            tokens.length === 0 ? (
              none && (
                <div className={classes.empty}>
                  <EmptyState icon={<IconKey />} title={settings.tokens.empty} text={settings.tokens.emptyText}>
                    {begin}
                    <a href="/docs/authentication" className={classes.how}>
                      {settings.tokens.how}
                    </a>
                  </EmptyState>
                </div>
              )
            ) : (
              <ul>
                {tokens.map((token) => (
                  <TokenRow key={token.id} token={token} onRevoke={() => list.current?.focus()} />
                ))}
              </ul>
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
    </div>
  )
}
