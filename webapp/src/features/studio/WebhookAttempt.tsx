import { Button, TextInput, Textarea } from '@mantine/core'
import type { Channel, Webhook } from '@sininho/sdk'
import { useState } from 'react'
import type { WebhookPreviewInput } from '../../data/webhooks'
import { webhooks } from '../../i18n/webhooks'
import { Form } from '../../ui/Form'
import { Fold } from './Fold'
import { Rendered } from './Rendered'
import classes from './studio.module.css'
import { headersOf, payloadIn, previewOf, saysKind } from './webhook'

const words = webhooks.attempt

type Props = { channel: Channel; webhook: Webhook }

/** Shows what something that the program sends would be published as. */
export const WebhookAttempt = (props: Props) => (
  <Fold summary={<span className={classes.grow}>{words.title}</span>}>
    <AttemptForm {...props} />
  </Fold>
)

function AttemptForm({ channel, webhook }: Props) {
  const [text, setText] = useState('')
  const [kind, setKind] = useState('')
  const [wrong, setWrong] = useState(false)
  const [shown, setShown] = useState<WebhookPreviewInput>()
  const { sender } = webhook
  const submit = () => {
    const payload = payloadIn(text)
    setWrong(!payload)
    setShown(payload && previewOf(webhook, payload, headersOf(sender, kind)))
  }
  return (
    <>
      <Form aria-label={words.form} faults={wrong ? { text: words.payloadWrong } : {}} onSubmit={submit}>
        <Textarea
          label={words.payload}
          description={words.payloadHint}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={text}
          error={wrong && words.payloadWrong}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {saysKind(sender) && (
          <TextInput
            label={words.kind}
            description={words.kindHint}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value)}
          />
        )}
        <div>
          <Button type="submit" variant="default">
            {words.show}
          </Button>
        </div>
      </Form>
      {shown && <Rendered channel={channel} input={shown} />}
    </>
  )
}
