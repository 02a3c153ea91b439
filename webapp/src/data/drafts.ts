import type { Draft, DraftContent, Template, TemplateInput, TemplatePatch } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything, unlessMissing, versioned } from '../lib/api'
import { type ChannelAddress, formatChannel, paramsOf } from '../lib/paths'

/** A draft at some place in a channel, with the version that is known here. */
export type SavedDraft = Draft & { etag?: string }

export const draftKeys = {
  drafts: (channel: ChannelAddress) => ['studio', 'drafts', formatChannel(channel)] as const,
  templates: (channel: ChannelAddress) => ['studio', 'templates', formatChannel(channel)] as const,
}

const drafts = '/channels/{publisherSlug}/{channelSlug}/drafts'
const templates = '/channels/{publisherSlug}/{channelSlug}/templates'

/** What the person has begun to write in a channel, the latest change first. */
export const draftsQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: draftKeys.drafts(channel),
    queryFn: ({ signal }) =>
      everything<Draft>((query) => call(api().GET(drafts, { params: { path: paramsOf(channel), query }, signal }))),
  })

/** Milliseconds in which a draft that was saved here is not fetched again. */
const justSaved = 10_000

export const fetchDraft = (channel: ChannelAddress, id: string, signal?: AbortSignal): Promise<SavedDraft | null> =>
  unlessMissing(versioned(api().GET(`${drafts}/{id}`, { params: { path: { ...paramsOf(channel), id } }, signal })))

/** One draft, or `null` if it was deleted. */
export const draftQuery = (channel: ChannelAddress, id: string) =>
  queryOptions({
    queryKey: [...draftKeys.drafts(channel), id],
    queryFn: ({ signal }): Promise<SavedDraft | null> => fetchDraft(channel, id, signal),
    staleTime: justSaved,
  })

/** What a browser may still send for a page that is being left. */
const keptAlive = (content: DraftContent) => JSON.stringify(content).length < 20_000

/** Saves a new draft. Repeated with the same key, it returns the first one. */
export const createDraft = (channel: ChannelAddress, content: DraftContent, key?: string): Promise<SavedDraft> =>
  versioned(
    api().POST(drafts, {
      params: { path: paramsOf(channel), header: { 'Idempotency-Key': key } },
      body: { content },
      keepalive: keptAlive(content),
    }),
  )

/** Replaces the content of a draft, unless it has changed since. */
export const replaceDraft = (
  channel: ChannelAddress,
  content: DraftContent,
  { id, etag }: SavedDraft,
): Promise<SavedDraft> =>
  versioned(
    api().PATCH(`${drafts}/{id}`, {
      params: { path: { ...paramsOf(channel), id }, header: { 'If-Match': etag } },
      body: { content },
      keepalive: keptAlive(content),
    }),
  )

export const deleteDraft = (channel: ChannelAddress, id: string) =>
  call(api().DELETE(`${drafts}/{id}`, { params: { path: { ...paramsOf(channel), id } }, keepalive: true }))

/** What is often said in a channel, by name. */
export const templatesQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: draftKeys.templates(channel),
    queryFn: ({ signal }) =>
      everything<Template>((query) =>
        call(api().GET(templates, { params: { path: paramsOf(channel), query }, signal })),
      ),
  })

export const createTemplate = (channel: ChannelAddress, body: TemplateInput) =>
  call(api().POST(templates, { params: { path: paramsOf(channel) }, body }))

export const updateTemplate = (channel: ChannelAddress, id: string, body: TemplatePatch) =>
  call(api().PATCH(`${templates}/{id}`, { params: { path: { ...paramsOf(channel), id } }, body }))

export const deleteTemplate = (channel: ChannelAddress, id: string) =>
  call(api().DELETE(`${templates}/{id}`, { params: { path: { ...paramsOf(channel), id } } }))
