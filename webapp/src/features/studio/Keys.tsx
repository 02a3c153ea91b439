import { Box, Button, Text } from '@mantine/core'
import type { ApiKey, Publisher } from '@sininho/sdk'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysQuery } from '../../data/publisher-access'
import { access } from '../../i18n/access'
import { agoLabel, dateLabel } from '../../lib/spans'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { Loaded } from '../../ui/Loaded'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from '../../ui/Row'
import { Secret } from '../../ui/Secret'
import { BlockSkeleton } from '../../ui/skeletons'
import { onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { createKeyMutation, revokeKeyMutation, rotateKeyMutation } from './access-mutations'
import { KeyForm } from './KeyForm'
import { Section } from './Section'
import { keyCall } from './snippets'

const Automation = onDemand(() => import('./Automation'))

const words = access.keys

/** The keys with which programs publish. A new secret is shown once. */
export function Keys({ publisher: { slug, role } }: { publisher: Publisher }) {
  const query = useQuery(apiKeysQuery(slug))
  const create = useMutation(createKeyMutation(slug))
  const rotate = useMutation(rotateKeyMutation(slug))
  const [writing, setWriting] = useState(false)
  const owner = role === 'owner'
  const made = rotate.data ?? create.data
  return (
    <Section title={words.title}>
      <Text c="dimmed" mb={12}>
        {words.text}
      </Text>
      {made?.secret && (
        <Secret
          title={words.secret(made.name)}
          hint={words.secretHint}
          secret={made.secret}
          done={words.secretDone}
          onDone={() => {
            create.reset()
            rotate.reset()
          }}
        />
      )}
      <Loaded query={query} skeleton={<BlockSkeleton height={44} />}>
        {(keys) => (
          <Box component="ul" className={ui.rows}>
            {keys.map((key) => (
              <KeyRow key={key.id} of={key} publisher={slug} owner={owner} onRotate={() => rotate.mutate(key.id)} />
            ))}
          </Box>
        )}
      </Loaded>
      {owner && writing && <KeyForm create={create} onDone={() => setWriting(false)} />}
      {owner && !writing && (
        <div>
          <Button variant="default" leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setWriting(true)}>
            {words.create}
          </Button>
        </div>
      )}
      {owner && <Automation call={keyCall(slug)} />}
    </Section>
  )
}

type KeyRowProps = { of: ApiKey; publisher: string; owner: boolean; onRotate: () => void }

function KeyRow({ of, publisher, owner, onRotate }: KeyRowProps) {
  const { id, name, hint, scopes, lastUsedAt, expiresAt, rotatedAt } = of
  const revoke = useMutation(revokeKeyMutation(publisher))
  const end = {
    label: words.revoke,
    name: words.revokeOf(name),
    question: words.revokeQuestion(name),
    text: words.revokeText,
    pending: revoke.isPending,
    onConfirm: () => revoke.mutate(id),
  }
  return (
    <Row icon={<IconKey />} alike name={name} end={owner ? end : undefined}>
      <Meta>
        {<code key="hint">{words.hint(hint)}</code>}
        {scopes.map((scope) => words.scopes[scope] ?? scope).join(', ')}
        {lastUsedAt ? <Moment at={lastUsedAt} label={(date) => words.used(agoLabel(date))} /> : words.unused}
        {expiresAt && <Moment at={expiresAt} label={(date) => words.expires(dateLabel(date))} />}
      </Meta>
      {owner && !rotatedAt && (
        <ConfirmButton
          variant="subtle"
          size="sm"
          px={0}
          aria-label={words.rotateOf(name)}
          question={words.rotateQuestion(name)}
          text={words.rotateText}
          onConfirm={onRotate}
        >
          {words.rotate}
        </ConfirmButton>
      )}
    </Row>
  )
}
