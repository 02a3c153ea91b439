import { Button, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Me, meQuery, updateMeMutation } from '../../data/me'
import { settings } from '../../i18n/settings'
import { dailyLabel } from '../../lib/spans'
import { deviceTimezone, timezoneLabel } from '../../lib/timezones'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'

type Hours = NonNullable<Me['quietHours']>

const usual: Hours = { start: '22:00', end: '07:00' }

/** The daily hours without pushes. */
export function QuietHours() {
  const query = useQuery(meQuery())
  return (
    <Stack>
      <Text c="dimmed">{settings.quiet.text}</Text>
      <Loaded query={query} skeleton={<BlockSkeleton height={44} />}>
        {(me) => <Switched me={me} />}
      </Loaded>
    </Stack>
  )
}

function Switched({ me: { quietHours, timezone } }: { me: Me }) {
  /** The hours last used, restored when quiet hours are switched on again. */
  const [last, setLast] = useState(usual)
  const update = useMutation(updateMeMutation())
  return (
    <>
      <Switch
        label={settings.quiet.on}
        checked={quietHours !== undefined}
        onChange={() => {
          if (quietHours) setLast(quietHours)
          update.mutate({ quietHours: quietHours ? null : last })
        }}
      />
      {quietHours && (
        <>
          <Group gap={16}>
            <TimeSelect
              label={settings.quiet.from}
              value={quietHours.start}
              other={quietHours.end}
              onChange={(start) => update.mutate({ quietHours: { ...quietHours, start } })}
            />
            <TimeSelect
              label={settings.quiet.to}
              value={quietHours.end}
              other={quietHours.start}
              onChange={(end) => update.mutate({ quietHours: { ...quietHours, end } })}
            />
          </Group>
          <div>
            <Text variant="hint">{sentence(quietHours)}</Text>
            <Text variant="hint">{settings.quiet.timezone(timezoneLabel(timezone))}</Text>
          </div>
          {timezone !== deviceTimezone() && (
            <Group gap="8px 16px" justify="space-between" className={ui.note}>
              <p>{settings.quiet.elsewhere(timezoneLabel(deviceTimezone()))}</p>
              <Button
                size="sm"
                variant="default"
                leftSection={<IconMapPin size={18} />}
                loading={update.isPending && update.variables.timezone !== undefined}
                onClick={() => update.mutate({ timezone: deviceTimezone() })}
              >
                {settings.profile.ofDevice}
              </Button>
            </Group>
          )}
        </>
      )}
    </>
  )
}

const halfHours = Array.from({ length: 48 }, (_, at) => new Date(2000, 0, 1, 0, 30 * at).toTimeString().slice(0, 5))

type TimeSelectProps = {
  label: string
  value: string
  /** The time at the other end, which this cannot be. */
  other: string
  onChange: (time: string) => void
}

/**
 * Chooses among the half hours and, where it is none of them, the present time. A native field for times follows the
 * language of the browser instead of that of the page.
 */
function TimeSelect({ label, value, other, onChange }: TimeSelectProps) {
  const times = [...new Set([...halfHours, value])].toSorted()
  return (
    <NativeSelect
      flex="1 1 120px"
      maw={176}
      label={label}
      value={value}
      data={times.map((time) => ({ value: time, label: dailyLabel(time), disabled: time === other }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function sentence({ start, end }: Hours) {
  const text = start > end ? settings.quiet.sentenceOverMidnight : settings.quiet.sentence
  return text(dailyLabel(start), dailyLabel(end))
}
