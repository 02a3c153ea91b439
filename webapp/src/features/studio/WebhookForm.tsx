import { NativeSelect, TextInput } from '@mantine/core'
import type { Webhook } from '@sininho/sdk'
import { useState } from 'react'
import type { WebhookSender, WebhookSigning } from '../../data/webhooks'
import { webhooks as words } from '../../i18n/webhooks'
import { words as common } from '../../i18n/words'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'

type NewWebhook = { name: string; sender: WebhookSender; signed?: boolean; signing?: WebhookSigning }

type Props = {
  /** The one that is changed. */
  webhook?: Webhook
  pending: boolean
  onSave: (webhook: NewWebhook) => void
  onDone: () => void
}

const signings = Object.entries(words.signings).map(([value, label]) => ({ value, label }))

/** Names a webhook and its sender. How one of the person's own programs proves who it is cannot be changed later. */
export function WebhookForm({ webhook, pending, onSave, onDone }: Props) {
  const [name, setName] = useState(webhook?.name ?? '')
  const [sender, setSender] = useState((webhook?.sender ?? 'github') as WebhookSender)
  const [signing, setSigning] = useState<WebhookSigning>('standard')
  const [tried, setTried] = useState(false)
  const own = !webhook && sender === 'plain'
  const given = name.trim() || (own ? '' : (words.senders[sender] ?? ''))
  const faults = tried && given === '' ? { name: words.nameMissing } : {}
  const submit = () => {
    setTried(true)
    if (given === '' || pending) return
    onSave({ name: given, sender, ...(own && { signed: signing !== 'none', signing }) })
  }
  return (
    <Form className={ui.ruled} aria-label={words.form} faults={faults} onSubmit={submit}>
      <NativeSelect
        label={words.sender}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        data={Object.entries(words.senders).map(([value, label]) => ({ value, label }))}
        value={sender}
        onChange={({ currentTarget }) => setSender(currentTarget.value as WebhookSender)}
      />
      <TextInput
        label={words.name}
        description={words.nameHint}
        maxLength={100}
        autoComplete="off"
        placeholder={own ? undefined : words.senders[sender]}
        value={name}
        error={faults.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {own && (
        <NativeSelect
          label={words.signing}
          description={signing === 'none' && words.signingNone}
          data={signings}
          value={signing}
          onChange={({ currentTarget }) => setSigning(currentTarget.value as WebhookSigning)}
        />
      )}
      <FormActions action={webhook ? common.save : words.add} loading={pending} onCancel={onDone} />
    </Form>
  )
}
