import type { DraftContent } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { createTemplate, deleteDraft, deleteTemplate, draftKeys, renameTemplate } from '../../data/drafts'
import { studio } from '../../i18n/studio'
import type { ChannelAddress } from '../../lib/paths'

export const deleteDraftMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) => deleteDraft(channel, id),
    meta: { invalidates: [draftKeys.drafts(channel)], successMessage: studio.drafts.removed },
  })

export const createTemplateMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: ({ name, content }: { name: string; content: DraftContent }) => createTemplate(channel, name, content),
    meta: { invalidates: [draftKeys.templates(channel)], successMessage: studio.templates.created },
  })

export const renameTemplateMutation = (channel: ChannelAddress, id: string) =>
  mutationOptions({
    mutationFn: (name: string) => renameTemplate(channel, id, name),
    meta: { invalidates: [draftKeys.templates(channel)], successMessage: studio.templates.renamed },
  })

export const deleteTemplateMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) => deleteTemplate(channel, id),
    meta: { invalidates: [draftKeys.templates(channel)], successMessage: studio.templates.removed },
  })
