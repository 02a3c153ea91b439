import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Channel, Template } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templatesQuery } from '../../data/drafts'
import { studio } from '../../i18n/studio'
import { Confirm } from '../../ui/Confirm'
import { Menu } from '../../ui/Menu'
import { deleteTemplateMutation, renameTemplateMutation } from './draft-mutations'
import { NameDialog } from './NameDialog'
import classes from './studio.module.css'

const words = studio.templates

/** What is often said in a channel. */
export function Templates({ channel }: { channel: Channel }) {
  const { data: templates = [] } = useQuery(templatesQuery(channel))
  if (templates.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="templates" gap={8}>
      <Title id="templates" order={2} size="h3">
        {words.title}
      </Title>
      <Text c="dimmed">{words.text}</Text>
      <ul>
        {templates.map((template) => (
          <TemplateRow key={template.id} channel={channel} template={template} />
        ))}
      </ul>
    </Stack>
  )
}

function TemplateRow({ channel, template: { id, name, content, fields } }: { channel: Channel; template: Template }) {
  const [asking, setAsking] = useState<'name' | 'remove'>()
  const rename = useMutation(renameTemplateMutation(channel, id))
  const remove = useMutation(deleteTemplateMutation(channel))
  const close = () => setAsking(undefined)
  return (
    <Paper component="li" withBorder p="12px 16px" mb={8}>
      <Group wrap="nowrap" gap={8}>
        <div className={classes.grow}>
          <Text fw={600} dir="auto" className={classes.words}>
            {name}
          </Text>
          <Text c="dimmed" fz="sm" lineClamp={2} dir="auto">
            {content.title ?? content.body}
          </Text>
          {fields.length > 0 && (
            <Text c="dimmed" fz="sm">
              {words.fields(fields)}
            </Text>
          )}
        </div>
        <Menu
          label={words.menuOf(name)}
          items={[
            { label: words.rename, onClick: () => setAsking('name') },
            { label: words.remove, onClick: () => setAsking('remove') },
          ]}
        />
      </Group>
      {asking === 'name' && (
        <NameDialog
          title={words.rename}
          name={name}
          pending={rename.isPending}
          error={rename.error}
          onSave={(next) => rename.mutate(next, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asking === 'remove' && (
        <Confirm
          question={words.removeQuestion(name)}
          text={words.removeText}
          action={words.remove}
          onClose={close}
          onConfirm={() => remove.mutate(id)}
        />
      )}
    </Paper>
  )
}
