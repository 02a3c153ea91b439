/** A request that PostHog's stand-in received, with its body decoded; see server/lab/standin/README.md. */
export type Sent = {
  seq: number
  method: string
  url: string
  header: Record<string, string[]>
  body?: string
  events?: SentEvent[]
}

export type SentEvent = {
  /** The library that sent it. */
  by: string
  event: string
  properties: Record<string, unknown>
  /** The complete event. */
  sent: Record<string, unknown>
}

/** PostHog's stand-in. Returns only requests received after it was created. */
export class PostHog {
  readonly #url: string
  readonly #since: number

  private constructor(url: string, since: number) {
    this.#url = url
    this.#since = since
  }

  static async at(url: string): Promise<PostHog> {
    const before = await new PostHog(url, 0).sent()
    return new PostHog(url, before.at(-1)?.seq ?? 0)
  }

  async sent(): Promise<Sent[]> {
    const lines = await (await fetch(`${this.#url}/requests?since=${this.#since}`)).text()
    return lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Sent)
  }

  async events(): Promise<SentEvent[]> {
    return (await this.sent()).flatMap(({ events = [] }) => events)
  }

  /** Returns how often the server sent an event about a notification. */
  async count(event: string, notificationId: string): Promise<number> {
    const all = await this.events()
    return all.filter((each) => each.event === event && each.properties.notificationId === notificationId).length
  }
}

/** The chunk of the web app that contains the library. */
export const libraryFile = /\/assets\/module\.slim-[^/]*\.js$/
