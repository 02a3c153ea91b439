import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { plans } from '../../i18n/plans'
import { studio } from '../../i18n/studio'
import { Menu } from '../../ui/Menu'
import { ifLoaded } from '../../ui/onDemand'
import { createTemplateMutation } from './draft-mutations'
import { type Message, contentOf, hasFields, inputOf } from './message'
import { NameDialog } from './NameDialog'
import { titleAndBody } from './text'

const words = studio.templates

const PlanDialog = ifLoaded(() => import('./PlanDialog'))

type Props = {
  channel: Channel
  message: Message
  /** Called when it repeats. */
  onRepeat: () => void
}

/** What else can be done with a text: keep it for all who publish in the channel, or have it repeat. */
export function SaveAsTemplate({ channel, message, onRepeat }: Props) {
  const [asking, setAsking] = useState<'name' | 'plan'>()
  const close = () => setAsking(undefined)
  const create = useMutation(createTemplateMutation(channel))
  // here, because the screen is left by it
  const repeat = useMutation({ ...createTemplateMutation(channel, plans.saved), onSuccess: onRepeat })
  const { more, ...shown } = message
  const often = { ...shown, more: { icon: more?.icon, data: more?.data }, expiresAt: '', scheduledAt: '' }
  const name = titleAndBody(message.text).title.slice(0, 100)
  if (name === '') return null
  return (
    <>
      <Menu
        label={words.menu}
        items={[
          { label: words.saveAs, onClick: () => setAsking('name') },
          { label: plans.repeat, onClick: () => setAsking('plan') },
        ]}
      />
      {asking === 'plan' && (
        <PlanDialog
          title={plans.repeat}
          name={name}
          draftOnly={hasFields(contentOf(often))}
          pending={repeat.isPending}
          error={repeat.error}
          onSave={(plan, named) => repeat.mutate({ name: named, content: inputOf(often), plan })}
          onClose={close}
        />
      )}
      {asking === 'name' && (
        <NameDialog
          title={words.saveAs}
          hint={words.fieldHint}
          name={name}
          pending={create.isPending}
          error={create.error}
          onSave={(named) => create.mutate({ name: named, content: contentOf(often) }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}
