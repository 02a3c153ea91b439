import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { studio } from '../../i18n/studio'
import { Menu } from '../../ui/Menu'
import { createTemplateMutation } from './draft-mutations'
import { type Message, contentOf } from './message'
import { NameDialog } from './NameDialog'
import { titleAndBody } from './text'

const words = studio.templates

/** What else can be done with a message: keep it for all who publish in the channel. */
export function SaveAsTemplate({ channel, message }: { channel: Channel; message: Message }) {
  const [asking, setAsking] = useState(false)
  const create = useMutation(createTemplateMutation(channel))
  const { more, ...shown } = message
  const content = { ...contentOf({ ...shown, expiresAt: '', scheduledAt: '' }), icon: more?.icon, data: more?.data }
  return (
    <>
      <Menu label={words.menu} items={[{ label: words.saveAs, onClick: () => setAsking(true) }]} />
      {asking && (
        <NameDialog
          title={words.saveAs}
          hint={words.fieldHint}
          name={titleAndBody(message.text).title.slice(0, 100)}
          pending={create.isPending}
          error={create.error}
          onSave={(name) => create.mutate({ name, content }, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
