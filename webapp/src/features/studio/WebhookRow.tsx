import { Alert, Stack } from '@mantine/core'
import type { Channel, Webhook } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { webhooks as words } from '../../i18n/webhooks'
import { agoLabel } from '../../lib/spans'
import { Moment } from '../../ui/Moment'
import { onDemand } from '../../ui/onDemand'
import { Secret } from '../../ui/Secret'
import { CopyField } from './CopyField'
import { Fold, Summary } from './Fold'
import { isOurs } from './webhook'
import { rotateWebhookMutation } from './webhook-mutations'
import { WebhookActions } from './WebhookActions'
import { WebhookAttempt } from './WebhookAttempt'
import { WebhookEvents } from './WebhookEvents'
import classes from './studio.module.css'

const WebhookTemplate = onDemand(() => import('./WebhookTemplate'))

type Props = {
  channel: Channel
  webhook: Webhook
  /** Its secret, if it was just created. */
  created?: string
  /** The secret was kept by the person. */
  onKept: () => void
  open: boolean
  onChange: (open: boolean) => void
}

/** A webhook which, unfolded, shows its address, what it received, and what can be done about it. */
export function WebhookRow({ channel, webhook, created, onKept, open, onChange }: Props) {
  const { id, name, url, sender, signing, lastEventAt, addressReplacedAt, secretReplacedAt } = webhook
  const rotate = useMutation(rotateWebhookMutation(channel, id))
  const secret = isOurs(signing) ? (rotate.data?.secret ?? created) : undefined
  return (
    <li>
      <Fold
        open={open}
        onChange={onChange}
        summary={
          <Summary name={name}>
            {name !== words.senders[sender] && (words.senders[sender] ?? sender)}
            {lastEventAt ? <Moment at={lastEventAt} label={(date) => words.latest(agoLabel(date))} /> : words.never}
          </Summary>
        }
      >
        <Stack gap={16}>
          {secret && (
            <Secret
              title={words.secret(name)}
              hint={words.secretHint}
              secret={secret}
              done={words.secretDone}
              onDone={() => {
                rotate.reset()
                onKept()
              }}
            />
          )}
          {addressReplacedAt && <Alert>{words.addressReplaced}</Alert>}
          {secretReplacedAt && <Alert>{words.secretReplaced}</Alert>}
          <CopyField label={words.addressOf(name)} description={words.steps[sender]} value={url} />
          <WebhookActions channel={channel} webhook={webhook} rotate={rotate} />
          <WebhookEvents channel={channel} webhook={webhook} />
          <div>
            {(sender === 'plain' || webhook.template) && (
              <Fold summary={<span className={classes.grow}>{words.template.title}</span>}>
                <WebhookTemplate channel={channel} webhook={webhook} />
              </Fold>
            )}
            <WebhookAttempt channel={channel} webhook={webhook} />
          </div>
        </Stack>
      </Fold>
    </li>
  )
}
