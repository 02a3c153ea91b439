import { Button, Flex, Paper, Switch, Textarea } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import {
  type Dispatch,
  type SetStateAction,
  type SyntheticEvent,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
} from 'react'
import { studio } from '../../i18n/studio'
import { pictureIn } from '../../lib/picture-file'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { Audience } from './Audience'
import { type Faults, faultsIn } from './faults'
import { type Message, type Option, options } from './message'
import { uploadMutation } from './mutations'
import { Options } from './Options'
import { Preview } from './Preview'
import classes from './studio.module.css'
import type { Sending } from './useSending'

const words = studio.composer
const noFaults: Faults = {}

type Props = {
  channel: Channel
  message: Message
  onChange: Dispatch<SetStateAction<Message>>
  sending: Sending
  /** What the button says, if it does not publish. */
  action?: string
  /** What is not asked for: a moment that is over or, of what is scheduled, cannot be taken away. */
  settled?: Option
  /** Whether it changes what is published, which rings nobody again. */
  corrects?: boolean
}

/** A field for what is to be said, with what may go along, and how readers will see it. */
export function Composer({ channel, message, onChange, sending, action, settled, corrects }: Props) {
  // typing does not wait for the preview
  const previewed = useDeferredValue(message)
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState(() => options.filter((option) => message[option] !== ''))
  const found = { ...sending.faults(message), ...(tried && faultsIn(message)) }
  const faults = Object.keys(found).length > 0 ? found : noFaults
  const { link, image, expiresAt, scheduledAt } = message
  const chosen = useMemo(() => ({ link, image, expiresAt, scheduledAt }), [link, image, expiresAt, scheduledAt])
  const change = useCallback((part: Partial<Message>) => onChange((before) => ({ ...before, ...part })), [onChange])
  const upload = useMutation({
    ...uploadMutation(channel.publisher.slug),
    onSuccess: ({ url }) => change({ image: url }),
  })
  /** Takes a picture that was pasted or dropped. */
  const take = (data: DataTransfer, event: SyntheticEvent) => {
    const file = pictureIn(data)
    if (!file) return
    event.preventDefault()
    if (!asked.includes('image')) setAsked([...asked, 'image'])
    upload.mutate(file)
  }
  const submit = () => {
    setTried(true)
    if (!sending.pending && !upload.isPending && Object.keys(faultsIn(message)).length === 0) sending.send(message)
  }
  return (
    <div className={classes.composer}>
      <Paper
        withBorder
        className={ui.card}
        onPaste={(event) => take(event.clipboardData, event)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => take(event.dataTransfer, event)}
      >
        <Form aria-label={words.form} faults={faults} onSubmit={submit}>
          <Textarea
            label={words.text}
            description={words.textHint}
            rows={4}
            classNames={{ input: classes.text }}
            maxLength={20_000}
            required
            value={message.text}
            error={faults.text}
            onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          />
          <Options
            chosen={chosen}
            asked={asked}
            onAsked={setAsked}
            settled={settled}
            faults={faults}
            uploading={upload.isPending}
            onFile={upload.mutate}
            onChange={change}
          />
          <Switch
            label={words.important}
            description={words.importantHint}
            checked={message.important}
            onChange={({ currentTarget }) => change({ important: currentTarget.checked })}
          />
          <Flex gap="8px 16px" wrap="wrap" align="center" justify="space-between" className={classes.send}>
            <Audience channel={channel} important={message.important} silent={corrects} />
            <Button
              type="submit"
              leftSection={<IconSend size={20} aria-hidden />}
              loading={sending.pending || upload.isPending}
            >
              {action ?? (message.scheduledAt ? words.schedule : words.publish)}
            </Button>
          </Flex>
        </Form>
      </Paper>
      <Preview channel={channel} message={previewed} />
    </div>
  )
}
