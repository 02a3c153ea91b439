import { Switch, TextInput } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Me, ChangedElsewhere, meQuery, updateMeMutation } from '../../data/me'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { dailyLabel } from '../../lib/dates'
import { deviceTimezone, timezoneLabel } from '../../lib/timezones'
import { Button } from '../../ui/Button'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import classes from './QuietHours.module.css'

type Hours = NonNullable<Me['quietHours']>

const usual: Hours = { start: '22:00', end: '07:00' }

/** The daily hours without pushes. */
export function QuietHours() {
  const query = useQuery(meQuery())
  return (
    <div className={classes.panel}>
      <p className={classes.text}>{settings.quiet.text}</p>
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={44} />}>
        {(me) => <Switched me={me} />}
      </Loaded>
    </div>
  )
}

function Switched({ me: { quietHours, timezone } }: { me: Me }) {
  /** The hours last used, restored when quiet hours are switched on again. */
  const [last, setLast] = useState(usual)
  const update = useMutation(updateMeMutation(useQueryClient()))
  return (
    <>
      <Switch
        size="md"
        label={settings.quiet.on}
        checked={quietHours !== undefined}
        classNames={{ body: classes.switch, label: classes.switchLabel }}
        onChange={() => {
          if (quietHours) setLast(quietHours)
          update.mutate({ quietHours: quietHours ? null : last })
        }}
      />
      {quietHours && (
        <>
          <HoursForm hours={quietHours} />
          <div>
            <p className={classes.note}>{sentence(quietHours)}</p>
            <p className={classes.note}>{settings.quiet.timezone(timezoneLabel(timezone))}</p>
          </div>
          {timezone !== deviceTimezone() && (
            <div className={classes.elsewhere}>
              <p>{settings.quiet.elsewhere(timezoneLabel(deviceTimezone()))}</p>
              <Button
                variant="default"
                leftSection={<IconMapPin size={18} />}
                loading={update.isPending && update.variables.timezone !== undefined}
                onClick={() => update.mutate({ timezone: deviceTimezone() })}
              >
                {settings.profile.ofDevice}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  )
}

/** The draft holds only the changed fields; all others show the server's values. */
function HoursForm({ hours }: { hours: Hours }) {
  const [draft, setDraft] = useState<Partial<Hours>>({})
  const save = useMutation(updateMeMutation(useQueryClient(), { successMessage: settings.quiet.saved }))
  const { start, end } = { ...hours, ...draft }
  const changed = start !== hours.start || end !== hours.end
  const same = start === end
  const submit = () => {
    if (!start || !end || same) return
    const done = () => setDraft({})
    save.mutate(
      { quietHours: { start, end } },
      { onSuccess: done, onError: (error) => error instanceof ChangedElsewhere && done() },
    )
  }
  return (
    <form
      className={classes.form}
      aria-label={settings.quiet.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        type="time"
        size="md"
        label={settings.quiet.from}
        value={start}
        error={!start && settings.quiet.missing}
        onChange={(event) => setDraft({ ...draft, start: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        size="md"
        label={settings.quiet.to}
        value={end}
        error={end ? same && settings.quiet.same : settings.quiet.missing}
        onChange={(event) => setDraft({ ...draft, end: event.currentTarget.value })}
      />
      {changed && (
        <Button type="submit" size="md" className={classes.save} loading={save.isPending}>
          {words.save}
        </Button>
      )}
    </form>
  )
}

function sentence({ start, end }: Hours) {
  const text = start > end ? settings.quiet.sentenceOverMidnight : settings.quiet.sentence
  return text(dailyLabel(start), dailyLabel(end))
}
