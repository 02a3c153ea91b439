import { Group, Paper, Text } from '@mantine/core'
import type { Channel, Template } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { plans } from '../../i18n/plans'
import { studio } from '../../i18n/studio'
import { untilLabel } from '../../lib/spans'
import { Confirm } from '../../ui/Confirm'
import { Menu } from '../../ui/Menu'
import { ifLoaded } from '../../ui/onDemand'
import { deleteTemplateMutation, updateTemplateMutation } from './draft-mutations'
import { NameDialog } from './NameDialog'
import { planLabel, withoutNext } from './plan'
import classes from './studio.module.css'

const words = studio.templates

const PlanDialog = ifLoaded(() => import('./PlanDialog'))

type Props = { channel: Channel; template: Template }

/** What is often said in a channel, and when it repeats. */
export function TemplateRow({ channel, template }: Props) {
  const { id, name, content, fields, plan, nextAt } = template
  const [asking, setAsking] = useState<'name' | 'plan' | 'remove'>()
  const update = useMutation(updateTemplateMutation(channel, id))
  const remove = useMutation(deleteTemplateMutation(channel))
  const close = () => setAsking(undefined)
  const items = [
    { label: plan ? plans.change : plans.repeat, onClick: () => setAsking('plan') },
    ...(nextAt ? [{ label: plans.skip, onClick: () => update.mutate({ plan: withoutNext(template) }) }] : []),
    ...(plan ? [{ label: plans.end, onClick: () => update.mutate({ plan: null }) }] : []),
    { label: words.rename, onClick: () => setAsking('name') },
    { label: words.remove, onClick: () => setAsking('remove') },
  ]
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
          <Repeats template={template} />
        </div>
        <Menu label={words.menuOf(name)} items={items} />
      </Group>
      {asking === 'name' && (
        <NameDialog
          title={words.rename}
          name={name}
          pending={update.isPending}
          error={update.error}
          onSave={(next) => update.mutate({ name: next }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asking === 'plan' && (
        <PlanDialog
          title={plan ? plans.change : plans.repeat}
          plan={plan}
          draftOnly={fields.length > 0}
          pending={update.isPending}
          error={update.error}
          onSave={(next) => update.mutate({ plan: next }, { onSuccess: close })}
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

function Repeats({ template: { plan, nextAt, missedAt } }: { template: Template }) {
  if (!plan) return null
  const missed = plan.makes === 'draft' ? plans.draftMissed : plans.missed
  return (
    <>
      <Text fz="sm">{planLabel(plan)}</Text>
      <Text c="dimmed" fz="sm">
        {nextAt ? plans.next(untilLabel(new Date(nextAt))) : plans.over}
      </Text>
      {missedAt && (
        <Text c="danger" fz="sm">
          {missed(untilLabel(new Date(missedAt)))}
        </Text>
      )}
    </>
  )
}
