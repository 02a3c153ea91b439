import { TextInput } from '@mantine/core'
import type { Category } from '@sininho/sdk'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { words } from '../../i18n/words'
import { Button } from '../../ui/Button'
import type { CategoryValues } from './mutations'
import classes from './CategoryForm.module.css'

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
    <form
      className={classes.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (values.name !== '' && !wrong) onSubmit(values)
      }}
    >
      <TextInput
        label={admin.categories.name}
        size="md"
        maxLength={100}
        autoComplete="off"
        required
        withAsterisk={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={name}
        error={tried && values.name === '' && admin.categories.nameMissing}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={admin.categories.slug}
        description={admin.categories.slugHint}
        size="md"
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        required
        withAsterisk={false}
        value={values.slug}
        error={tried && wrong && admin.categories.slugWrong}
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      <TextInput
        label={admin.categories.position}
        description={admin.categories.positionHint}
        size="md"
        inputMode="numeric"
        maxLength={7}
        autoComplete="off"
        value={position}
        onChange={(event) => setPosition(event.currentTarget.value.replaceAll(/\D/g, ''))}
      />
      <div className={classes.actions}>
        <Button type="submit" size="md" loading={pending}>
          {action}
        </Button>
        <Button variant="default" size="md" onClick={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}

/** "Arte e Cultura" becomes "arte-e-cultura". */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 63)
