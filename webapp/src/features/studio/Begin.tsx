import { Button, NativeSelect, Paper, Text, TextInput } from '@mantine/core'
import type { Category, Channel, Publisher } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { address } from '../../i18n/address'
import { studio } from '../../i18n/studio'
import { sendable, shownAs } from '../../lib/picture-file'
import { AddressField } from '../../ui/AddressField'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { type Beginnings, beginningOf, faultsIn, serverFaults } from './beginning'
import { ChannelChoices } from './ChannelChoices'
import { beginMutation } from './mutations'
import { useTaken } from '../../data/useTaken'
import type { ChosenVisibility } from './VisibilityChoice'

const words = studio.begin

type Props = {
  publishers: readonly Publisher[]
  categories: readonly Category[]
  onCreated: (channel: Channel) => void
}

/** Creates a channel, and its publisher for somebody who is a member of none. */
export function Begin({ publishers, categories, onCreated }: Props) {
  const create = useMutation(beginMutation())
  const [fields, setFields] = useState<Beginnings>({
    publisher: publishers[0]?.slug ?? '',
    publisherName: '',
    name: '',
    category: '',
    visibility: 'public',
  })
  const [picture, setPicture] = useState<{ file: Blob; shown: string }>()
  const [tried, setTried] = useState(false)
  const change = (part: Partial<Beginnings>) => setFields((now) => ({ ...now, ...part }))
  const [choose] = useState({
    onCategory: (category: string) => change({ category }),
    onFile: async (chosen: File) => {
      const file = await sendable(chosen)
      setPicture({ file, shown: await shownAs(file) })
    },
    onRemove: () => setPicture(undefined),
    onVisibility: (visibility: ChosenVisibility) => change({ visibility }),
  })
  const beginning = beginningOf(fields, publishers)
  const newSlug = beginning.publisher?.slug
  const nameTaken = useTaken(newSlug ? { publisherSlug: newSlug } : undefined)
  const { publisherSlug, slug } = beginning.channel
  const taken = useChannelTaken(fields.publisher, slug)
  const own = {
    ...faultsIn(fields, publishers),
    ...(nameTaken && { publisherName: words.nameTaken }),
  }
  const faults = {
    ...serverFaults(create.error, create.variables, beginning),
    ...(tried ? own : nameTaken && { publisherName: own.publisherName }),
  }
  const submit = () => {
    setTried(true)
    if (!create.isPending && Object.keys(own).length === 0)
      create.mutate({ ...beginning, ...(picture && { picture: picture.file }) }, { onSuccess: onCreated })
  }
  return (
    <Paper withBorder className={ui.card}>
      <Form aria-label={words.form} faults={faults} onSubmit={submit}>
        <Text c="dimmed">{words.text}</Text>
        {publishers.length === 0 && (
          <TextInput
            label={words.publisher}
            description={words.publisherHint}
            maxLength={100}
            autoComplete="organization"
            required
            value={fields.publisherName}
            error={faults.publisherName}
            onChange={({ currentTarget }) => change({ publisherName: currentTarget.value })}
          />
        )}
        {publishers.length > 1 && (
          <NativeSelect
            label={words.publisher}
            data={publishers.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={fields.publisher}
            onChange={({ currentTarget }) => change({ publisher: currentTarget.value })}
          />
        )}
        <TextInput
          label={words.name}
          description={words.nameHint}
          maxLength={100}
          autoComplete="off"
          required
          value={fields.name}
          error={faults.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <AddressField
          publisher={publisherSlug}
          slug={slug}
          chosen={fields.slug !== undefined}
          fault={taken ?? faults.slug}
          onChange={(chosen) => change({ slug: chosen })}
        />
        <ChannelChoices
          categories={categories}
          category={fields.category}
          categoryFault={faults.category}
          picture={picture?.shown ?? ''}
          uploading={create.isPending && picture !== undefined}
          visibility={fields.visibility}
          {...choose}
        />
        <Button type="submit" loading={create.isPending}>
          {words.create}
        </Button>
      </Form>
    </Paper>
  )
}

/** Says that the person's publisher has a channel with a slug; a new one, '', has none. */
const useChannelTaken = (publisherSlug: string, slug: string) =>
  useTaken(publisherSlug && slug ? { publisherSlug, slug } : undefined) ? address.taken : undefined
