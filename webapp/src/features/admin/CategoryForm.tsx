import { TextInput } from '@mantine/core'
import type { Category } from '@sininho/sdk'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { words } from '../../i18n/words'
import { slugOf } from '../../lib/slug'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import type { CategoryValues } from './mutations'

type Props = {
  label: string
  /** The category to change; without it, one is created. */
  category?: Category
  action?: string
  pending: boolean
  onSubmit: (values: CategoryValues) => void
  onCancel: () => void
}

const slugs = /^[a-z0-9]+(-[a-z0-9]+)*$/

export function CategoryForm({ label, category, action = words.save, pending, onSubmit, onCancel }: Props) {
  const [name, setName] = useState(category?.name ?? '')
  const [slug, setSlug] = useState(category?.slug)
  const [position, setPosition] = useState(String(category?.position ?? 0))
  const [tried, setTried] = useState(false)
  const values = { name: name.trim(), slug: slug ?? slugOf(name), position: Number(position) || 0 }
  const wrong = !slugs.test(values.slug)
  return (
    <Form
      flex={1}
      maw={560}
      aria-label={label}
      onSubmit={() => {
        setTried(true)
        if (values.name !== '' && !wrong) onSubmit(values)
      }}
    >
      <TextInput
        label={admin.categories.name}
        maxLength={100}
        autoComplete="off"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={name}
        error={tried && values.name === '' && admin.categories.nameMissing}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={admin.categories.slug}
        description={admin.categories.slugHint}
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        required
        value={values.slug}
        error={tried && wrong && admin.categories.slugWrong}
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      <TextInput
        label={admin.categories.position}
        description={admin.categories.positionHint}
        inputMode="numeric"
        maxLength={7}
        autoComplete="off"
        value={position}
        onChange={(event) => setPosition(event.currentTarget.value.replaceAll(/\D/g, ''))}
      />
      <FormActions action={action} loading={pending} onCancel={onCancel} />
    </Form>
  )
}
