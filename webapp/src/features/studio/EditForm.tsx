import { Button, NativeSelect, Paper, TextInput, Textarea } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { categoriesQuery } from '../../data/categories'
import { studio } from '../../i18n/studio'
import { words as common } from '../../i18n/words'
import { faultsOf } from '../../lib/faults'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { editMutation, uploadMutation } from './mutations'
import { PictureField } from './PictureField'
import { type ChosenVisibility, VisibilityChoice } from './VisibilityChoice'
import { addressOf } from './message'

const words = studio.edit

const changeable = ({ name, description, icon, category, visibility }: Channel) => ({
  name,
  description,
  icon: icon ?? null,
  categoryId: category.id,
  visibility: visibility as ChosenVisibility,
})
type Changeable = ReturnType<typeof changeable>

/** Changes what readers see of a channel, and who sees it. */
export function EditForm({ channel }: { channel: Channel }) {
  const { data: categories = [channel.category] } = useQuery(categoriesQuery())
  const edit = useMutation(editMutation(channel))
  const [before] = useState(() => changeable(channel))
  const [fields, setFields] = useState({ ...before, icon: before.icon ?? '' })
  const change = (part: Partial<typeof fields>) => setFields({ ...fields, ...part })
  const upload = useMutation({
    ...uploadMutation(channel.publisher.slug),
    onSuccess: ({ url }) => change({ icon: url }),
  })
  const now: Changeable = { ...fields, name: fields.name.trim(), icon: addressOf(fields.icon.trim()) || null }
  const missing = now.name === ''
  const faults = {
    ...faultsOf(edit.error, edit.variables as Changeable | undefined, now),
    ...(missing && { name: studio.begin.missing }),
  }
  const submit = () => {
    if (edit.isPending || upload.isPending || missing) return
    // what another member has changed meanwhile stays, if it was not changed here too
    const names = (Object.keys(now) as (keyof Changeable)[]).filter((name) => now[name] !== before[name])
    edit.mutate({ name: now.name, ...Object.fromEntries(names.map((name) => [name, now[name]])) })
  }
  return (
    <Paper withBorder className={ui.card}>
      <Form aria-label={words.form} faults={faults} onSubmit={submit}>
        <TextInput
          label={words.name}
          maxLength={100}
          autoComplete="off"
          required
          value={fields.name}
          error={faults.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Textarea
          label={words.description}
          description={words.descriptionHint}
          autosize
          minRows={2}
          maxLength={1000}
          value={fields.description}
          error={faults.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <PictureField
          label={words.icon}
          hint={words.iconHint}
          face
          value={fields.icon}
          fault={faults.icon}
          uploading={upload.isPending}
          onFile={upload.mutate}
          onRemove={() => change({ icon: '' })}
        />
        <NativeSelect
          label={studio.begin.category}
          data={categories.map(({ id, name }) => ({ value: id, label: common.channels.category(name) }))}
          value={fields.categoryId}
          error={faults.categoryId}
          onChange={({ currentTarget }) => change({ categoryId: currentTarget.value })}
        />
        <VisibilityChoice value={fields.visibility} onChange={(visibility) => change({ visibility })} />
        <div>
          <Button type="submit" loading={edit.isPending}>
            {common.save}
          </Button>
        </div>
      </Form>
    </Paper>
  )
}
