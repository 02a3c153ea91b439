import { Button, Paper, TextInput, Textarea } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { categoriesQuery } from '../../data/categories'
import { studio } from '../../i18n/studio'
import { words as common } from '../../i18n/words'
import { faultsOf } from '../../lib/faults'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { ChannelChoices } from './ChannelChoices'
import { editMutation, uploadMutation } from './mutations'
import type { ChosenVisibility } from './VisibilityChoice'
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
  const { data } = useQuery(categoriesQuery())
  const [own] = useState([channel.category])
  const edit = useMutation(editMutation(channel))
  const [before] = useState(() => changeable(channel))
  const [fields, setFields] = useState({ ...before, icon: before.icon ?? '' })
  const change = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }))
  const [choose] = useState({
    onCategory: (categoryId: string) => change({ categoryId }),
    onRemove: () => change({ icon: '' }),
    onVisibility: (visibility: ChosenVisibility) => change({ visibility }),
  })
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
        <ChannelChoices
          categories={data ?? own}
          category={fields.categoryId}
          categoryFault={faults.categoryId}
          picture={fields.icon}
          pictureFault={faults.icon}
          uploading={upload.isPending}
          visibility={fields.visibility}
          onFile={upload.mutate}
          {...choose}
        />
        <div>
          <Button type="submit" loading={edit.isPending}>
            {common.save}
          </Button>
        </div>
      </Form>
    </Paper>
  )
}
