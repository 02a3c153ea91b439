import { expect } from '@playwright/test'

export type Note = {
  id: number
  summary: string
  body: string
  closed: boolean
  actions: { key: string; label: string }[]
}

/** The desktop's notification service that `setup.ts` started. It records notifications and can click them. */
export class Notifyd {
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  static here(): Notifyd {
    const url = process.env.NOTIFYD_URL
    if (!url) throw new Error('there is no bin/notifyd or no D-Bus session: run the browser tests by `make e2e`')
    return new Notifyd(url)
  }

  async notes(): Promise<Note[]> {
    return ((await (await fetch(`${this.#url}/notes`)).json()) as Note[] | null) ?? []
  }

  /** Waits until the system shows a notification with this title, and returns it. */
  async shown(title: string): Promise<Note> {
    const find = async () => (await this.notes()).filter(({ summary, closed }) => summary === title && !closed)
    await expect.poll(find).toHaveLength(1)
    return (await find())[0]!
  }

  /** Returns the current state of a note. */
  async note({ id }: Note): Promise<Note> {
    return (await this.notes()).find((each) => each.id === id)!
  }

  async dismiss({ id }: Note) {
    await fetch(`${this.#url}/close/${id}`, { method: 'POST' })
  }

  async click({ id }: Note) {
    await this.#invoke(id, 'default')
  }

  /** Clicks a button of a note. */
  async press({ id, actions }: Note, label: string) {
    const button = actions.find((action) => action.label === label)
    if (!button) throw new Error(`no button ${label} among ${actions.map((action) => action.label).join(', ')}`)
    await this.#invoke(id, button.key)
  }

  async #invoke(id: number, key: string) {
    await fetch(`${this.#url}/invoke/${id}/${encodeURIComponent(key)}`, { method: 'POST' })
  }
}
