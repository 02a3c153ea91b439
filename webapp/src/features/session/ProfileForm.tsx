import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Me, type MePatch, ChangedElsewhere, updateMeMutation } from '../../data/me'
import { language } from '../../i18n/language'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { languageOf, languages, speak } from '../../lib/language'
import { deviceTimezone, timeThere, timezones } from '../../lib/timezones'
import { Form } from '../../ui/Form'
import { useDraft } from '../../ui/useDraft'

const spoken = Object.entries(languages).map(([value, label]) => ({ value, label }))

type Draft = Pick<MePatch, 'name' | 'locale' | 'timezone'>

/** The draft holds only the changed fields; all others show the server's values. */
export function ProfileForm({ me }: { me: Me }) {
  const [draft, setDraft] = useDraft<Draft>(`profile.${me.id}`, {})
  const save = useMutation(updateMeMutation(settings.profile.saved))
  const { name, locale, timezone } = { ...me, ...draft }
  const missing = !me.anonymous && name.trim() === ''
  const changed = name.trim() !== me.name || locale !== me.locale || timezone !== me.timezone
  const time = timeThere(timezone)
  // hundreds, each of which the browser is asked about
  const zones = useMemo(() => timezones(me.timezone, deviceTimezone()), [me.timezone])
  const change = (more: Draft) => setDraft({ ...draft, ...more })
  const submit = () => {
    if (missing || !changed) return
    save.mutate(draft.name === undefined ? draft : { ...draft, name: name.trim() }, {
      onSuccess: (saved) => {
        setDraft({})
        const wanted = languageOf(saved.locale)
        if (wanted) speak(wanted)
      },
      onError: (error) => error instanceof ChangedElsewhere && setDraft({}),
    })
  }
  return (
    <Form aria-label={settings.profile.form} onSubmit={submit}>
      {!me.anonymous && (
        <TextInput
          label={settings.profile.name}
          maxLength={200}
          autoComplete="name"
          required
          value={name}
          error={missing && draft.name !== undefined && settings.profile.nameMissing}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label={settings.profile.language}
        description={settings.profile.languageHint}
        // the page's language, if the app has no translation in the person's
        value={languageOf(locale) ?? language}
        data={spoken}
        onChange={(event) => change({ locale: event.currentTarget.value })}
      />
      <NativeSelect
        label={settings.profile.timezone}
        description={time && settings.profile.timeThere(time)}
        value={timezone}
        data={zones}
        onChange={(event) => change({ timezone: event.currentTarget.value })}
      />
      {timezone !== deviceTimezone() && (
        <Button
          size="sm"
          variant="subtle"
          mt={-8}
          style={{ alignSelf: 'start' }}
          leftSection={<IconMapPin size={18} />}
          onClick={() => change({ timezone: deviceTimezone() })}
        >
          {settings.profile.ofDevice}
        </Button>
      )}
      <Button type="submit" style={{ alignSelf: 'start' }} disabled={!changed || missing} loading={save.isPending}>
        {words.save}
      </Button>
    </Form>
  )
}
