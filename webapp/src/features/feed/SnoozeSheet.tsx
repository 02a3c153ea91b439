import { Text, TextInput } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { snooze as words } from '../../i18n/snooze'
import { fieldOf, momentIn } from '../../lib/date-field'
import { fullLabel, timeLabel } from '../../lib/dates'
import { untilLabel } from '../../lib/spans'
import { Dialog } from '../../ui/Dialog'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import { Option } from '../../ui/Option'
import { momentsAfter, timeOf } from './moments'

type Props = {
  /** When the notification is no longer valid. */
  expiresAt?: string
  /** Until when it is postponed already. */
  snoozedUntil?: string
  onChoose: (until: Date) => void
  onClose: () => void
}

/** Asks until when a notification is postponed. */
export default function SnoozeSheet({ expiresAt, snoozedUntil, onChoose, onClose }: Props) {
  const [now] = useState(() => new Date())
  const [choosing, setChoosing] = useState(false)
  const end = expiresAt ? new Date(expiresAt) : undefined
  return (
    <Dialog title={words.action} onClose={onClose}>
      {choosing ? (
        <DateForm
          first={snoozedUntil ? new Date(snoozedUntil) : timeOf('morning', now)}
          earliest={now}
          latest={end ?? inAYear(now)}
          onChoose={onChoose}
          onCancel={() => setChoosing(false)}
        />
      ) : (
        <ul>
          {momentsAfter(now, end).map(({ moment, at }) => (
            <li key={moment}>
              <Option
                label={words.moments[moment]}
                onClick={() => onChoose(at)}
                rightSection={
                  <Text span fz="sm" c="dimmed">
                    {moment === 'weekend' ? untilLabel(at) : timeLabel(at)}
                  </Text>
                }
              />
            </li>
          ))}
          <li>
            <Option
              label={words.choose}
              onClick={() => setChoosing(true)}
              rightSection={<IconCalendarTime size={20} aria-hidden />}
            />
          </li>
        </ul>
      )}
    </Dialog>
  )
}

type DateFormProps = {
  first: Date
  earliest: Date
  latest: Date
  onChoose: (until: Date) => void
  onCancel: () => void
}

function DateForm({ first, earliest, latest, onChoose, onCancel }: DateFormProps) {
  const [value, setValue] = useState(fieldOf(first))
  const [fault, setFault] = useState<string>()
  return (
    <Form
      faults={fault ? { date: fault } : {}}
      onSubmit={() => {
        const found = faultOf(value, latest)
        setFault(found)
        if (!found) onChoose(new Date(value))
      }}
    >
      <TextInput
        type="datetime-local"
        label={words.date}
        data-autofocus
        value={value}
        min={fieldOf(earliest)}
        max={fieldOf(latest)}
        error={fault}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <FormActions action={words.confirm} loading={false} onCancel={onCancel} />
    </Form>
  )
}

function inAYear(now: Date): Date {
  const at = new Date(now)
  at.setFullYear(now.getFullYear() + 1)
  return at
}

/** What is wrong with a date, or undefined. */
function faultOf(value: string, latest: Date): string | undefined {
  const at = momentIn(value)
  if (!at) return words.noDate
  if (at <= new Date()) return words.past
  return at < latest ? undefined : words.tooLate(fullLabel(latest))
}
