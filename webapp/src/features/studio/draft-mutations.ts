import type { TemplateInput, TemplatePatch } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { createTemplate, deleteDraft, deleteTemplate, draftKeys, updateTemplate } from '../../data/drafts'
import { plans } from '../../i18n/plans'
import { studio } from '../../i18n/studio'
import type { ChannelAddress } from '../../lib/paths'

export const deleteDraftMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) => deleteDraft(channel, id),
    meta: { invalidates: [draftKeys.drafts(channel)], successMessage: studio.drafts.removed },
  })

export const createTemplateMutation = (channel: ChannelAddress, successMessage: string = studio.templates.created) =>
  mutationOptions({
    mutationFn: (template: TemplateInput) => createTemplate(channel, template),
    meta: { invalidates: [draftKeys.templates(channel)], successMessage },
  })

/** Changes one thing of a template: its name, or when it repeats. */
export const updateTemplateMutation = (channel: ChannelAddress, id: string) =>
  mutationOptions({
    mutationFn: (change: TemplatePatch) => updateTemplate(channel, id, change),
    meta: {
      invalidates: [draftKeys.templates(channel)],
      successMessage: (change) => changed(change as TemplatePatch),
    },
  })

function changed({ name, plan }: TemplatePatch): string {
  if (name) return studio.templates.renamed
  if (!plan) return plans.ended
  return plan.startsAt ? plans.skipped : plans.saved
}

export const deleteTemplateMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) => deleteTemplate(channel, id),
    meta: { invalidates: [draftKeys.templates(channel)], successMessage: studio.templates.removed },
  })
