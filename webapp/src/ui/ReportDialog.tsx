import { Button, Group, Radio, Text, Textarea } from '@mantine/core'
import type { ReportInput } from '@sininho/sdk'
import { useState } from 'react'
import { words } from '../i18n/words'
import { report } from '../i18n/report'
import { Dialog } from './Dialog'
import { Form } from './Form'

type Props = {
  /** The name of the channel to report; without it, a notification is reported. */
  channel?: string
  onReport: (input: ReportInput) => void
  onClose: () => void
}

const categories = Object.keys(report.categories) as ReportInput['category'][]
const maxText = 1000

/** Asks what is wrong with a channel or a notification. Open while it is rendered. */
export default function ReportDialog({ channel, onReport, onClose }: Props) {
  const [category, setCategory] = useState<ReportInput['category']>('spam')
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const required = category === 'other'
  const send = () => {
    if (required && text.trim() === '') return setMissing(true)
    onClose()
    return onReport({ category, ...(text.trim() && { text: text.trim() }) })
  }
  return (
    <Dialog title={channel === undefined ? report.notification : report.channel(channel)} onClose={onClose}>
      <Form onSubmit={send}>
        <Text c="dimmed">{report.note}</Text>
        <Radio.Group label={report.why} value={category} onChange={setCategory}>
          {categories.map((each) => (
            <Radio key={each} value={each} label={report.categories[each]} />
          ))}
        </Radio.Group>
        <Textarea
          label={required ? report.textRequired : report.text}
          rows={3}
          maxLength={maxText}
          value={text}
          error={missing && <span role="alert">{report.textMissing}</span>}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setMissing(false)
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit">{report.send}</Button>
        </Group>
      </Form>
    </Dialog>
  )
}
