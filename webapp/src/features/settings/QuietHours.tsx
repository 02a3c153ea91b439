import { Button, Group, Stack, Switch, Text } from '@mantine/core'
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
import { TimeSelect } from './TimeSelect'

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

function sentence({ start, end }: Hours) {
  const text = start > end ? settings.quiet.sentenceOverMidnight : settings.quiet.sentence
  return text(dailyLabel(start), dailyLabel(end))
}
