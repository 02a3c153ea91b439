import { Button, Group, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Channel, Webhook } from '@sininho/sdk'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhookEventQuery, webhookEventsQuery, webhookPreviewQuery } from '../../data/webhooks'
import { webhooks } from '../../i18n/webhooks'
import { words as common } from '../../i18n/words'
import { Form } from '../../ui/Form'
import { Rendered } from './Rendered'
import { type OwnTemplate, previewOf, templateFaults, templateOf } from './webhook'
import { updateWebhookMutation } from './webhook-mutations'

const words = webhooks.template

type Props = { channel: Channel; webhook: Webhook }

/** What is asked for. A program may have set more, which stays. */
const fields = ['title', 'body', 'link', 'image', 'skip'] as const

/** Milliseconds without a key until what is written is tried. */
const pause = 500

/** What becomes of what one of the person's own programs sends, in words of their own. */
export default function WebhookTemplate({ channel, webhook }: Props) {
  const [template, setTemplate] = useState<OwnTemplate>(webhook.template ?? { title: '' })
  const [tried, setTried] = useState(false)
  const update = useMutation(updateWebhookMutation(channel, webhook.id))
  const attempt = useAttempt(channel, webhook, template)
  const missing = template.title.trim() === ''
  const faults = {
    ...templateFaults(update.error, update.variables?.template, template),
    ...(tried && missing && { title: words.titleMissing }),
  }
  const submit = () => {
    setTried(true)
    if (!missing && !update.isPending) update.mutate({ template: templateOf(template) })
  }
  const remove = () => update.mutate({ template: null }, { onSuccess: () => setTemplate({ title: '' }) })
  return (
    <Form aria-label={words.form} faults={faults} onSubmit={submit}>
      <Text c="dimmed">{words.text}</Text>
      {fields.map((name) => (
        <Textarea
          key={name}
          label={words.fields[name]}
          description={words.hints[name]}
          autosize
          minRows={name === 'body' ? 3 : 1}
          maxRows={10}
          maxLength={name === 'body' ? 20_000 : 4000}
          spellCheck={false}
          value={template[name] ?? ''}
          error={faults[name] ?? attempt.faults[name]}
          onChange={({ currentTarget }) => setTemplate({ ...template, [name]: currentTarget.value })}
        />
      ))}
      {attempt.input ? (
        <Rendered channel={channel} input={attempt.input} />
      ) : (
        !attempt.any && <Text c="dimmed">{words.noEvent}</Text>
      )}
      <Group>
        <Button type="submit" loading={update.isPending}>
          {common.save}
        </Button>
        {webhook.template && (
          <Button variant="subtle" disabled={update.isPending} onClick={remove}>
            {words.remove}
          </Button>
        )}
      </Group>
    </Form>
  )
}

/** Tries a template on what the program has sent last, once the person stops typing. */
function useAttempt(channel: Channel, webhook: Webhook, template: OwnTemplate) {
  const [settled] = useDebouncedValue(template, pause)
  const { data } = useInfiniteQuery(webhookEventsQuery(channel, webhook.id))
  const latest = data?.pages[0]?.data[0]
  const { data: event } = useQuery({
    ...webhookEventQuery(channel, webhook.id, latest?.id ?? ''),
    enabled: latest !== undefined,
  })
  const input =
    event?.payload && settled.title.trim() !== ''
      ? previewOf({ ...webhook, template: templateOf(settled) }, event.payload, event.headers)
      : undefined
  const { error } = useQuery({
    ...webhookPreviewQuery(channel, input ?? { payload: {} }),
    enabled: input !== undefined,
  })
  const faults = templateFaults(input ? error : null, settled, template)
  return { any: latest !== undefined, input: Object.keys(faults).length === 0 ? input : undefined, faults }
}
