import { Button, Group, TextInput } from '@mantine/core'
import type { Channel, Webhook } from '@sininho/sdk'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooks as words } from '../../i18n/webhooks'
import { words as common } from '../../i18n/words'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'
import { isOurs } from './webhook'
import { removeWebhookMutation, updateWebhookMutation } from './webhook-mutations'
import { WebhookForm } from './WebhookForm'

type Rotate = UseMutationResult<unknown, Error, { what: 'secret' | 'address'; secret?: string }>
type Props = { channel: Channel; webhook: Webhook; rotate: Rotate }

const small = { size: 'sm', variant: 'default' } as const

/** Changes a webhook, replaces its secret or its address, and deletes it. */
export function WebhookActions({ channel, webhook, rotate }: Props) {
  const { id, name, signing } = webhook
  const update = useMutation(updateWebhookMutation(channel, id))
  const remove = useMutation(removeWebhookMutation(channel, id))
  const [writing, setWriting] = useState<'webhook' | 'secret'>()
  const done = () => setWriting(undefined)
  if (writing === 'webhook')
    return (
      <WebhookForm
        webhook={webhook}
        pending={update.isPending}
        onSave={({ name, sender }) => update.mutate({ name, sender }, { onSuccess: done })}
        onDone={done}
      />
    )
  if (writing === 'secret') return <SecretForm webhook={webhook} rotate={rotate} onDone={done} />
  return (
    <Group gap={8}>
      <Button {...small} aria-label={words.changeOf(name)} onClick={() => setWriting('webhook')}>
        {words.change}
      </Button>
      {!isOurs(signing) && (
        <Button {...small} onClick={() => setWriting('secret')}>
          {words.bring}
        </Button>
      )}
      {isOurs(signing) && signing !== 'none' && (
        <ConfirmButton
          {...small}
          loading={rotate.isPending}
          question={words.rotateQuestion(name)}
          text={words.rotateText}
          onConfirm={() => rotate.mutate({ what: 'secret' })}
        >
          {words.rotate}
        </ConfirmButton>
      )}
      <ConfirmButton
        {...small}
        question={words.readdressQuestion(name)}
        text={words.readdressText}
        onConfirm={() => rotate.mutate({ what: 'address' })}
      >
        {words.readdress}
      </ConfirmButton>
      <ConfirmButton
        size="sm"
        variant="subtle"
        color="danger"
        px={12}
        ms={-8}
        loading={remove.isPending}
        aria-label={words.removeOf(name)}
        question={words.removeQuestion(name)}
        text={words.removeText}
        onConfirm={() => remove.mutate()}
      >
        {words.remove}
      </ConfirmButton>
    </Group>
  )
}

type SecretFormProps = Omit<Props, 'channel'> & { onDone: () => void }

/** Takes the secret that the sender has made. */
function SecretForm({ webhook: { sender }, rotate, onDone }: SecretFormProps) {
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const missing = secret.trim().length < shortest
  const faults = tried && missing ? { secret: words.bringMissing } : {}
  const submit = () => {
    setTried(true)
    if (!missing && !rotate.isPending) rotate.mutate({ what: 'secret', secret: secret.trim() }, { onSuccess: onDone })
  }
  return (
    <Form className={ui.ruled} aria-label={words.bringForm} faults={faults} onSubmit={submit}>
      <TextInput
        label={words.bringLabel(words.senders[sender] ?? sender)}
        maxLength={512}
        autoComplete="off"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={secret}
        error={faults.secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
      />
      <FormActions action={common.save} loading={rotate.isPending} onCancel={onDone} />
    </Form>
  )
}

/** Characters that a secret has at least. */
const shortest = 8
