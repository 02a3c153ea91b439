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
import { editMutation } from './mutations'
import { type ChosenVisibility, VisibilityChoice } from './VisibilityChoice'
import { addressOf } from './message'

const words = studio.edit

/** Changes what readers see of a channel, and who sees it. */
export function EditForm({ channel }: { channel: Channel }) {
  const { data: categories = [channel.category] } = useQuery(categoriesQuery())
  const edit = useMutation(editMutation(channel))
  const [fields, setFields] = useState({
    name: channel.name,
    description: channel.description,
    icon: channel.icon ?? '',
    categoryId: channel.category.id,
    visibility: channel.visibility as ChosenVisibility,
  })
  const change = (part: Partial<typeof fields>) => setFields({ ...fields, ...part })
  const body = { ...fields, name: fields.name.trim(), icon: addressOf(fields.icon.trim()) || null }
  const missing = body.name === ''
  const faults = {
    ...faultsOf(edit.error, edit.variables, body),
    ...(missing && { name: studio.begin.missing }),
  }
  return (
    <Paper withBorder className={ui.card}>
      <Form aria-label={words.form} faults={faults} onSubmit={() => !edit.isPending && !missing && edit.mutate(body)}>
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
        <TextInput
          type="url"
          label={words.icon}
          description={words.iconHint}
          maxLength={2048}
          value={fields.icon}
          error={faults.icon}
          onChange={({ currentTarget }) => change({ icon: currentTarget.value })}
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
