import { Button, Chip, Group, Input, Radio, Stack, Text, TextInput } from '@mantine/core'
import { ApiError, type Plan, type PlanInput } from '@sininho/sdk'
import { useState } from 'react'
import { language } from '../../i18n/language'
import { plans as words } from '../../i18n/plans'
import { studio } from '../../i18n/studio'
import { deviceTimezone, timezoneLabel } from '../../lib/timezones'
import { Choice } from '../../ui/Choice'
import { Dialog } from '../../ui/Dialog'
import { Form } from '../../ui/Form'
import { type PlanFields, planFaults, planFields, planOf, weekdays } from './plan'
import { weekdays as dates } from './weeks'

type Props = {
  title: string
  /** Asked for if it is given. */
  name?: string
  plan?: Plan
  /** What is planned asks for something each time. */
  draftOnly: boolean
  pending: boolean
  error: Error | null
  onSave: (plan: PlanInput, name: string) => void
  onClose: () => void
}

/** Asks when something repeats. Open while it is rendered. */
export default function PlanDialog({ title, name: named, plan, draftOnly, pending, error, onSave, onClose }: Props) {
  const [fields, setFields] = useState(() => ({ ...planFields(plan, draftOnly), name: named }))
  const [sent, setSent] = useState<string>()
  const name = fields.name?.trim()
  const taken = error instanceof ApiError && error.status === 409 && sent === name
  const found = { ...planFaults(fields), ...(name === '' && { name: studio.templates.nameMissing }) }
  const faults: Faults = sent === undefined ? {} : { ...(taken && { name: studio.templates.nameTaken }), ...found }
  const timezone = plan?.timezone ?? deviceTimezone()
  const change: Change = (part) => setFields({ ...fields, ...part })
  const submit = () => {
    setSent(name ?? '')
    if (Object.keys(found).length === 0 && !pending) onSave(planOf(fields, timezone, plan), name ?? '')
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form aria-label={title} faults={faults} onSubmit={submit}>
        {named !== undefined && (
          <TextInput
            label={words.name}
            maxLength={100}
            required
            value={fields.name}
            error={faults.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        )}
        <Days fields={fields} faults={faults} onChange={change} />
        <TextInput
          type="time"
          label={words.time}
          w="10rem"
          value={fields.time}
          error={faults.time}
          onChange={({ currentTarget }) => change({ time: currentTarget.value })}
        />
        {timezone !== deviceTimezone() && <Text variant="hint">{words.timezone(timezoneLabel(timezone))}</Text>}
        <Makes value={fields.makes} draftOnly={draftOnly} onChange={(makes) => change({ makes })} />
        <Button type="submit" loading={pending}>
          {words.save}
        </Button>
      </Form>
    </Dialog>
  )
}

type Faults = ReturnType<typeof planFaults> & { name?: string }
type Change = (part: Partial<PlanFields & { name: string }>) => void
type DaysProps = { fields: PlanFields; faults: Faults; onChange: Change }

const Days = ({ fields, faults, onChange }: DaysProps) => (
  <>
    <Choice
      label={words.every}
      options={{ week: words.week, month: words.month }}
      value={fields.every}
      onChange={(every) => onChange({ every })}
    />
    {fields.every === 'week' ? (
      <Weekdays value={fields.weekdays} error={faults.weekdays} onChange={(days) => onChange({ weekdays: days })} />
    ) : (
      <TextInput
        label={words.monthDays}
        description={words.monthDaysHint}
        inputMode="numeric"
        maxLength={120}
        value={fields.monthDays}
        error={faults.monthDays}
        onChange={({ currentTarget }) => onChange({ monthDays: currentTarget.value })}
      />
    )}
  </>
)

const short = new Intl.DateTimeFormat(language, { weekday: 'short' })
const long = new Intl.DateTimeFormat(language, { weekday: 'long' })

type WeekdaysProps = { value: readonly string[]; error?: string; onChange: (days: string[]) => void }

const Weekdays = ({ value, error, onChange }: WeekdaysProps) => (
  <Input.Wrapper labelElement="div" label={words.days} error={error}>
    <Group gap={8} mt={4} role="group" aria-label={words.days}>
      <Chip.Group multiple value={[...value]} onChange={onChange}>
        {weekdays.map((day, index) => (
          <Chip key={day} value={day} aria-label={long.format(dates[index])} aria-invalid={error !== undefined}>
            {short.format(dates[index]).replace('.', '')}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  </Input.Wrapper>
)

type Making = PlanFields['makes']
type MakesProps = { value: Making; draftOnly: boolean; onChange: (makes: Making) => void }

const Makes = ({ value, draftOnly, onChange }: MakesProps) => (
  <Radio.Group label={words.makes} value={value} onChange={(makes) => onChange(makes as Making)}>
    <Stack gap={4} mt={4}>
      <Radio
        mih={44}
        py={4}
        value="notification"
        disabled={draftOnly}
        label={words.notification}
        description={draftOnly ? words.draftOnly : words.notificationHint}
      />
      <Radio mih={44} py={4} value="draft" label={words.draft} description={words.draftHint} />
    </Stack>
  </Radio.Group>
)
