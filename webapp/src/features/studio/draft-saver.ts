import { ApiError, type DraftContent } from '@sininho/sdk'
import { type SavedDraft, createDraft, deleteDraft, fetchDraft, replaceDraft } from '../../data/drafts'
import type { ChannelAddress } from '../../lib/paths'
import { contentOf, messageOfContent } from './message'

/** Milliseconds after the last change, after which it is saved, and after a failure, after which it is tried again. */
const pauses = { typing: 1000, failure: 5000 }

export type Saved = 'saved' | 'apart' | { failed: string } | undefined

type Creating = { content: DraftContent; key: string }

/** Is told whether something is saved, and the id of a new draft. */
type Listener = (saved: Saved, created?: string) => void

/**
 * Saves what somebody writes, one request after another, so that the latest text is the one that stays. What was changed
 * on another device meanwhile is left as it is, and this text becomes another draft.
 */
export class DraftSaver {
  private latest: DraftContent | undefined
  private waiting: ReturnType<typeof setTimeout> | undefined
  private running: Promise<void> | undefined
  private over = false
  private listener: Listener | undefined
  /** What was sent, and has had no response yet. */
  private creating: Creating | undefined
  private unanswered: DraftContent | undefined

  constructor(
    private readonly channel: ChannelAddress,
    private known: SavedDraft | undefined,
    /** Called when the draft has changed on the server; it is undefined if it was deleted. */
    private readonly onChange: (draft: SavedDraft | undefined) => void,
  ) {}

  /** Calls a function after each attempt to save, until the returned one is called. */
  listen(listener: Listener) {
    this.listener = listener
    return () => {
      this.listener = undefined
    }
  }

  /** Saves a content soon; an empty one deletes the draft. */
  change(content: DraftContent) {
    this.latest = content
    this.after(pauses.typing)
  }

  /** Saves at once what waits. */
  async flush(): Promise<void> {
    clearTimeout(this.waiting)
    if (this.running) await this.running
    if (!this.latest || this.over) return
    const content = this.latest
    this.latest = undefined
    this.running = this.save(content)
    await this.running
    this.running = undefined
  }

  /** Ends saving, and deletes the draft. */
  async discard() {
    this.over = true
    clearTimeout(this.waiting)
    await this.running
    if (this.known) await deleteDraft(this.channel, this.known.id).catch(isGone)
  }

  private after(pause: number) {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => void this.flush(), pause)
  }

  private async save(content: DraftContent) {
    const before = this.known?.id
    try {
      const apart = await this.store(content)
      this.onChange(this.known)
      this.listener?.(apart ? 'apart' : this.known && 'saved', this.known?.id === before ? undefined : this.known?.id)
    } catch (error) {
      this.latest ??= content
      if (mayPass(error)) this.after(pauses.failure)
      this.listener?.({ failed: error instanceof Error ? error.message : '' })
    }
  }

  /** Returns whether it has become another draft. */
  private async store(content: DraftContent): Promise<boolean> {
    const before = this.known
    if (this.creating) await this.create(this.creating)
    if (Object.keys(content).length === 0) {
      if (this.known) await deleteDraft(this.channel, this.known.id).catch(isGone)
      this.known = undefined
      return false
    }
    try {
      if (this.known) await this.replace(content, this.known)
      else await this.create({ content, key: newKey() })
      return false
    } catch (error) {
      if (!before || !isLost(error)) throw error
      this.known = undefined
      await this.create({ content, key: newKey() })
      return error.status === 412
    }
  }

  /** Saves a new draft. Without a response it is repeated as it is, because it may have been saved. */
  private async create(creating: Creating) {
    this.creating = creating
    try {
      this.known = await createDraft(this.channel, creating.content, creating.key)
    } catch (error) {
      if (error instanceof ApiError) this.creating = undefined
      throw error
    }
    this.creating = undefined
  }

  /** Replaces the draft, also where what has changed it was sent from here and its response was lost. */
  private async replace(content: DraftContent, known: SavedDraft) {
    const { unanswered } = this
    this.unanswered = content
    try {
      this.known = await replaceDraft(this.channel, content, known)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const now = error.status === 412 && unanswered ? await fetchDraft(this.channel, known.id) : null
      if (!now || !isSame(now.content, unanswered!)) throw error
      this.known = await replaceDraft(this.channel, content, now)
    }
    this.unanswered = undefined
  }
}

const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

const isLost = (error: unknown): error is ApiError => error instanceof ApiError && [404, 412].includes(error.status)

const isSame = (...both: [DraftContent, DraftContent]) => {
  const [one, other] = both.map((content) => JSON.stringify(contentOf(messageOfContent(content))))
  return one === other
}

/** Whether the same request may succeed later. */
const mayPass = (error: unknown) => !(error instanceof ApiError) || error.status >= 500 || error.status === 429

/** Deleting what is gone is enough. */
function isGone(error: unknown) {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
