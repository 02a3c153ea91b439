import { Button, Group, TextInput } from '@mantine/core'
import type { Channel, DraftContent, Template } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templatesQuery } from '../../data/drafts'
import { studio } from '../../i18n/studio'
import { Dialog } from '../../ui/Dialog'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { filled } from './message'

const words = studio.templates

type Choose = { onChoose: (content: DraftContent) => void }

/** The templates of a channel, for somebody who begins to write. One with fields asks for them first. */
export function TemplateChoice({ channel, onChoose }: Choose & { channel: Channel }) {
  const { data: templates = [] } = useQuery(templatesQuery(channel))
  const [asked, setAsked] = useState<Template>()
  if (templates.length === 0) return null
  return (
    <>
      <Group role="group" aria-label={words.title} gap={8}>
        {templates.map((template) => (
          <Button
            key={template.id}
            size="sm"
            variant="light"
            onClick={() => (template.fields.length > 0 ? setAsked(template) : onChoose(template.content))}
          >
            {template.name}
          </Button>
        ))}
      </Group>
      {asked && <FieldsDialog template={asked} onClose={() => setAsked(undefined)} onChoose={onChoose} />}
    </>
  )
}

/** Asks for what changes each time. Open while it is rendered. */
function FieldsDialog({ template, onClose, onChoose }: Choose & { template: Template; onClose: () => void }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [tried, setTried] = useState(false)
  const missing = template.fields.filter((field) => !values[field]?.trim())
  const faults = tried ? Object.fromEntries(missing.map((field) => [field, words.fieldMissing])) : {}
  const submit = () => {
    setTried(true)
    if (missing.length === 0) onChoose(filled(template.content, values))
  }
  return (
    <Dialog title={template.name} onClose={onClose}>
      <Form aria-label={template.name} faults={faults} onSubmit={submit}>
        {template.fields.map((field, index) => (
          <TextInput
            key={field}
            label={field}
            labelProps={{ className: ui.sentence }}
            required
            data-autofocus={index === 0 || undefined}
            value={values[field] ?? ''}
            error={faults[field]}
            onChange={({ currentTarget }) => setValues({ ...values, [field]: currentTarget.value })}
          />
        ))}
        <Button type="submit">{words.use}</Button>
      </Form>
    </Dialog>
  )
}
