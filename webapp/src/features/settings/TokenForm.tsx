import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { settings } from '../../i18n/settings'
import type { TokenScope } from '../../data/access-tokens'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import type { NewToken } from './mutations'
import ui from '../../ui/ui.module.css'

type Props = { pending: boolean; onSubmit: (token: NewToken) => void; onCancel: () => void }

const expiries = ['30', '90', '365'] as const

const permissions = {
  all: ['manage'],
  read: ['read'],
  publish: ['publish'],
  readAndPublish: ['read', 'publish'],
} as const satisfies Record<string, TokenScope[]>
type Permission = keyof typeof permissions

export function TokenForm({ pending, onSubmit, onCancel }: Props) {
  const [name, setName] = useState('')
  const [permission, setPermission] = useState<Permission>('all')
  const [days, setDays] = useState('90')
  const [tried, setTried] = useState(false)
  const missing = name.trim() === ''
  return (
    <Form
      className={ui.ruled}
      aria-label={settings.tokens.form}
      onSubmit={() => {
        setTried(true)
        if (!missing) onSubmit({ name: name.trim(), scopes: [...permissions[permission]], days: Number(days) })
      }}
    >
      <TextInput
        label={settings.tokens.name}
        description={settings.tokens.nameHint}
        maxLength={100}
        autoComplete="off"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={name}
        error={tried && missing && settings.tokens.nameMissing}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={settings.tokens.may}
        value={permission}
        data={Object.entries(settings.tokens.permissions).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setPermission(event.currentTarget.value as Permission)}
      />
      <NativeSelect
        label={settings.tokens.expiry}
        value={days}
        data={expiries.map((value) => ({ value, label: settings.tokens.expiries[value] }))}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <FormActions action={settings.tokens.create} loading={pending} onCancel={onCancel} />
    </Form>
  )
}
