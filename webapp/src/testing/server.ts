import type {
  Category,
  Channel,
  Device,
  DeviceInput,
  Draft,
  DraftContent,
  FeedAddress,
  FieldError,
  Identity,
  Notification,
  Onboarding,
  Publisher,
  ReceivedChannelInvitation,
  ReceivedMembershipInvitation,
  Session,
  SignInMethod,
  Subscriber,
  Subscription,
  SubscriptionPatch,
  Template,
  WaitlistPlace,
} from '@sininho/sdk'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import type { AccessToken } from '../data/access-tokens'
import type { MePatch } from '../data/me'
import { accessToken, anonymous, device, draft, id, ref, subscription } from './factories'

const base = 'http://localhost:8080/api/v1'
export const at = (path: string) => base + path

/** The fake server's data. A test sets it before rendering. */
export type State = {
  subscriber: Subscriber | undefined
  /** Whether the subscriber is an operator. */
  operator: boolean
  categories: Category[]
  channels: Channel[]
  /** The publishers of which the subscriber is a member. */
  publishers: Publisher[]
  feed: Notification[]
  /** What the subscriber has begun to write, in any channel. */
  drafts: Draft[]
  templates: Template[]
  subscriptions: Subscription[]
  devices: Device[]
  tokens: AccessToken[]
  feedAddress: FeedAddress | undefined
  invitations: ReceivedMembershipInvitation[]
  sessions: Session[]
  identities: Identity[]
  signInMethods: SignInMethod[]
  /** Version of the profile, for its ETag. Raise it to fake a change made elsewhere. */
  version: number
  onboarding: Onboarding
  /** What the secret `sni_live_ana` invites to. */
  channelInvitation: ReceivedChannelInvitation | undefined
  /** The waiting-list entry of the token `swt_ana`. */
  place: WaitlistPlace | undefined
}
export let state: State
/** The calls that change something, such as "POST /subscribers/…", with their bodies, in order of arrival. */
export const actions: { call: string; body: unknown }[] = []

export function resetServer() {
  actions.length = 0
  state = {
    subscriber: undefined,
    operator: false,
    categories: [],
    channels: [],
    publishers: [],
    feed: [],
    drafts: [],
    templates: [],
    subscriptions: [],
    devices: [],
    tokens: [],
    feedAddress: undefined,
    invitations: [],
    sessions: [],
    identities: [],
    signInMethods: [{ kind: 'google', url: '/api/v1/auth/google' }],
    version: 1,
    onboarding: { step: 'interests', categoryIds: [] },
    channelInvitation: undefined,
    place: undefined,
  }
}
resetServer()

export const problem = (status: number, detail?: string, code = 'failed', errors?: FieldError[]) =>
  HttpResponse.json(
    { type: 'about:blank', title: `Status ${status}`, status, detail, code, errors, requestId: 'request-1' },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

/** The open event streams. `send` writes to all of them, and returns the id of the event. */
export const live = {
  open: new Set<ReadableStreamDefaultController<Uint8Array>>(),
  /** Of the latest event. */
  position: 1,
  send(event: string, data: unknown, id = withoutId.has(event) ? '' : String(++live.position)): string {
    const text = `${id && `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const controller of live.open) controller.enqueue(new TextEncoder().encode(text))
    return id
  },
  closeAll() {
    for (const controller of live.open) {
      try {
        controller.close()
      } catch {
        // the reader is gone
      }
    }
    live.open.clear()
  },
}

const withoutId = new Set(['read', 'reset'])

/** A response with the position of the stream. */
const positioned = (body: Parameters<typeof HttpResponse.json>[0]) =>
  HttpResponse.json(body, { headers: { 'Stream-Position': String(live.position) } })

function stream({ request }: { request: Request }) {
  if (request.signal.aborted) return HttpResponse.error()
  let mine: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      mine = controller
      controller.enqueue(new TextEncoder().encode(`retry: 60000\nid: ${live.position}\n\n: hello\n\n`))
      live.open.add(controller)
    },
    cancel: () => void live.open.delete(mine),
  })
  request.signal.addEventListener('abort', () => live.open.delete(mine))
  return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

export function slice<T>(items: T[], request: Request, cursors = false) {
  const query = new URL(request.url).searchParams
  const limit = Number(query.get('limit') ?? 10)
  const offset = Number(query.get('cursor') ?? query.get('offset') ?? 0)
  const next = offset + limit < items.length ? String(offset + limit) : undefined
  return {
    data: items.slice(offset, offset + limit),
    meta: { total: items.length, ...(cursors && { nextCursor: next }) },
  }
}

/** A page of the feed, with how many of the whole are unread. */
function feedPage(request: Request) {
  const { data, meta } = slice(state.feed.filter(selectedBy(request)), request, true)
  const unread = state.feed.filter(({ archivedAt, snoozedUntil, readAt }) => !archivedAt && !snoozedUntil && !readAt)
  return { data, meta: { ...meta, unread: unread.length } }
}

/** Selects the part of the feed that a request asks for; of `q`, only one word in the title. */
function selectedBy(request: Request) {
  const query = new URL(request.url).searchParams
  const wants = (name: string) => query.get(name) === 'true'
  return ({ archivedAt, snoozedUntil, readAt, importance, title }: Notification) =>
    Boolean(archivedAt) === wants('archived') &&
    Boolean(snoozedUntil) === wants('snoozed') &&
    !(wants('unread') && readAt) &&
    !(wants('important') && importance !== 'important') &&
    title.toLowerCase().includes(query.get('q') ?? '')
}

export const record = async (request: Request) => {
  const text = await request.clone().text()
  actions.push({
    call: `${request.method} ${new URL(request.url).pathname.slice('/api/v1'.length)}`,
    body: text ? (JSON.parse(text) as unknown) : undefined,
  })
}
export const empty = () => new HttpResponse(null, { status: 204 })
const etag = () => `"v${state.version}"`
const me = () => HttpResponse.json(state.subscriber, { headers: { ETag: etag() } })
const signedInOnly = () => (state.subscriber ? undefined : problem(401, 'Inicie sessão.', 'unauthorized'))
const place = (token: unknown) =>
  token === 'swt_ana' && state.place ? HttpResponse.json(state.place) : problem(404, 'Não existe.', 'not_found')
const nothing = {
  targeted: 0,
  pending: 0,
  suppressed: {},
  accepted: 0,
  failed: {},
  expired: {},
  displayed: 0,
  opened: 0,
}
const find = (params: Record<string, unknown>) =>
  state.channels.find((each) => each.publisherSlug === params.publisher && each.slug === params.channel)

/** The publishers of all channels. */
const publishers = (): Publisher[] =>
  [...new Map(state.channels.map((each) => [each.publisherSlug, each.publisher])).values()].map((publisher) => {
    const own = state.channels.filter(({ publisherSlug }) => publisherSlug === publisher.slug)
    const subscriberCount = own.reduce((sum, each) => sum + each.subscriberCount, 0)
    const createdAt = '2026-01-01T00:00:00Z'
    return { ...publisher, description: 'Avisos da cidade', channelCount: own.length, subscriberCount, createdAt }
  })

/** A draft whose version is when it was changed. */
const savedDraft = (draft: Draft, status = 200) =>
  HttpResponse.json(draft, { status, headers: { ETag: `"${draft.updatedAt}"` } })

export const server = setupServer(
  http.get(at('/auth'), () =>
    HttpResponse.json({
      caller: state.subscriber ? 'subscriber' : 'visitor',
      subscriber: state.subscriber,
      ...(state.operator && { operator: true }),
      signInMethods: state.signInMethods,
    }),
  ),
  http.post(at('/auth/anonymous'), async ({ request }) => {
    await record(request)
    state.subscriber ??= anonymous()
    return empty()
  }),
  http.delete(at('/auth'), async ({ request }) => {
    await record(request)
    state.subscriber = undefined
    return empty()
  }),
  http.get(at('/categories'), ({ request }) => HttpResponse.json(slice(state.categories, request))),
  http.get(at('/publishers'), ({ request }) => {
    const q = new URL(request.url).searchParams.get('q')?.toLowerCase()
    if (q === undefined) return HttpResponse.json(slice(state.publishers, request))
    return HttpResponse.json(
      slice(
        publishers().filter(({ name }) => name.toLowerCase().includes(q)),
        request,
      ),
    )
  }),
  http.get(at('/publishers/:publisher/storage'), () =>
    HttpResponse.json({ usedBytes: 20_000_000, quotaBytes: 536_870_912 }),
  ),
  http.get(at('/admin/storage'), () =>
    HttpResponse.json({
      databaseBytes: 2_000_000_000,
      quotaBytes: 536_870_912,
      largest: [{ slug: 'metro', name: 'Metro', usedBytes: 500_000_000 }],
    }),
  ),
  http.get(at('/publishers/:publisher'), ({ params }) => {
    const found = publishers().find(({ slug }) => slug === params.publisher)
    return found ? HttpResponse.json(found) : problem(404, 'Não existe.', 'not_found')
  }),
  http.get(at('/channels'), ({ request }) => {
    const query = new URL(request.url).searchParams
    const q = query.get('q')?.toLowerCase() ?? ''
    const [category, publisher] = [query.get('category'), query.get('publisher')]
    const found = state.channels.filter(
      (each) =>
        each.name.toLowerCase().includes(q) &&
        (!category || each.category.slug === category) &&
        (!publisher || each.publisherSlug === publisher),
    )
    return HttpResponse.json(slice(found, request))
  }),
  http.get(at('/channels/:publisher/:channel'), ({ params }) => {
    const found = find(params)
    return found ? HttpResponse.json(found) : problem(404, 'Não existe.', 'not_found')
  }),
  http.get(at('/channels/:publisher/:channel/followers'), ({ params }) => {
    const found = find(params)
    const data = [0, 5, 10, 15, 20, 25, 30].map((gained, index) => ({
      day: `2026-03-0${index + 1}`,
      followers: (found?.subscriberCount ?? 0) + gained - 30,
    }))
    return found ? HttpResponse.json({ data }) : problem(404, 'Não existe.', 'not_found')
  }),
  http.get(at('/channels/:publisher/:channel/deliveries'), ({ params }) => {
    const followers = find(params)?.subscriberCount ?? 0
    const total = { ...nothing, notifications: 0 }
    const audience = { followers, ringing: followers, ringingImportant: followers, estimated: false }
    return HttpResponse.json({ from: '', until: '', interval: 'day', total, data: [], audience })
  }),
  http.get(at('/channels/:publisher/:channel/notifications'), ({ params, request }) =>
    positioned(
      slice(
        state.feed.filter(
          ({ channel }) => channel.publisherSlug === params.publisher && channel.slug === params.channel,
        ),
        request,
        true,
      ),
    ),
  ),
  http.get(at('/channels/:publisher/:channel/notifications/stream'), stream),
  http.get(at('/channels/:publisher/:channel/drafts'), ({ request }) =>
    HttpResponse.json(slice(state.drafts, request)),
  ),
  http.post(at('/channels/:publisher/:channel/drafts'), async ({ request }) => {
    await record(request)
    const made = draft(((await request.json()) as { content: DraftContent }).content)
    state.drafts.unshift(made)
    return savedDraft(made, 201)
  }),
  http.get(at('/channels/:publisher/:channel/drafts/:id'), ({ params }) => {
    const found = state.drafts.find((each) => each.id === params.id)
    return found ? savedDraft(found) : problem(404, 'Não existe.', 'not_found')
  }),
  http.patch(at('/channels/:publisher/:channel/drafts/:id'), async ({ request, params }) => {
    await record(request)
    const found = state.drafts.find((each) => each.id === params.id)
    if (!found) return problem(404, 'Não existe.', 'not_found')
    if (request.headers.get('If-Match') !== `"${found.updatedAt}"`) return problem(412, 'Mudou.', 'precondition_failed')
    const changed = draft(((await request.json()) as { content: DraftContent }).content, found.id)
    state.drafts = [changed, ...state.drafts.filter((each) => each !== found)]
    return savedDraft(changed)
  }),
  http.delete(at('/channels/:publisher/:channel/drafts/:id'), async ({ request, params }) => {
    await record(request)
    state.drafts = state.drafts.filter((each) => each.id !== params.id)
    return empty()
  }),
  http.get(at('/channels/:publisher/:channel/templates'), ({ request }) =>
    HttpResponse.json(slice(state.templates, request)),
  ),
  http.post(at('/webhooks/channels/demo-address'), async ({ request }) => {
    await record(request)
    return HttpResponse.json({ outcome: 'published', notificationId: id(), duplicate: false }, { status: 202 })
  }),
  http.get(at('/subscribers/me'), () => signedInOnly() ?? me()),
  http.patch(at('/subscribers/me'), async ({ request }) => {
    await record(request)
    const seen = request.headers.get('If-Match')
    if (seen && seen !== etag()) return problem(412, 'Mudou.', 'precondition_failed')
    const { quietHours, ...rest } = (await request.json()) as MePatch
    const quiet = quietHours === undefined ? {} : { quietHours: quietHours ?? undefined }
    state.subscriber = { ...state.subscriber!, ...rest, ...quiet }
    state.version++
    return me()
  }),
  http.delete(at('/subscribers/me'), async ({ request }) => {
    await record(request)
    state.subscriber = undefined
    return empty()
  }),
  http.get(at('/subscribers/me/export'), () =>
    HttpResponse.json({ exportedAt: '2026-11-21T12:00:00Z', subscriber: state.subscriber }),
  ),
  http.get(
    at('/subscribers/access-tokens'),
    ({ request }) => signedInOnly() ?? HttpResponse.json(slice(state.tokens, request)),
  ),
  http.post(at('/subscribers/access-tokens'), async ({ request }) => {
    await record(request)
    const made = accessToken((await request.json()) as Partial<AccessToken>)
    state.tokens.unshift(made)
    return HttpResponse.json({ ...made, secret: 'sna_live_segredo9f2c' }, { status: 201 })
  }),
  http.delete(at('/subscribers/access-tokens/:id'), async ({ request, params }) => {
    await record(request)
    state.tokens = state.tokens.filter((each) => each.id !== params.id)
    return empty()
  }),
  http.get(
    at('/subscribers/feed-address'),
    () => signedInOnly() ?? (state.feedAddress ? HttpResponse.json(state.feedAddress) : problem(404)),
  ),
  http.put(at('/subscribers/feed-address'), async ({ request }) => {
    await record(request)
    state.feedAddress = { hint: '9f2c', createdAt: '2026-11-21T12:00:00Z' }
    const url = 'http://localhost:8080/feeds/snf_live_segredo9f2c'
    return HttpResponse.json({ ...state.feedAddress, atom: `${url}.atom`, json: `${url}.json` })
  }),
  http.delete(at('/subscribers/feed-address'), async ({ request }) => {
    await record(request)
    state.feedAddress = undefined
    return empty()
  }),
  http.get(
    at('/subscribers/invitations'),
    ({ request }) => signedInOnly() ?? HttpResponse.json(slice(state.invitations, request)),
  ),
  http.post(at('/subscribers/invitations/:id/:answer'), async ({ request, params }) => {
    await record(request)
    const found = state.invitations.find((each) => each.id === params.id)
    if (!found) return problem(409, 'Este convite já não está aberto.', 'invitation_ended')
    state.invitations = state.invitations.filter((each) => each !== found)
    return params.answer === 'accept' ? HttpResponse.json({ ...found.publisher, role: found.role }) : empty()
  }),
  http.post(at('/channel-invitations/:deed'), async ({ request, params }) => {
    await record(request)
    const { secret } = (await request.json()) as { secret: string }
    const found = secret === 'sni_live_ana' ? state.channelInvitation : undefined
    if (!found) return problem(404, 'Não existe.', 'not_found')
    if (params.deed === 'accept' && !found.state) {
      found.state = found.approval ? 'requested' : 'member'
      if (!found.approval) state.subscriptions.push(subscription(found.channel))
      for (const each of state.channels) if (each.id === found.channel.id) each.following = !found.approval
    }
    return HttpResponse.json(found)
  }),
  http.get(
    at('/subscribers/sessions'),
    ({ request }) => signedInOnly() ?? HttpResponse.json(slice(state.sessions, request)),
  ),
  http.get(at('/subscribers/identities'), () => signedInOnly() ?? HttpResponse.json({ data: state.identities })),
  http.post(at('/subscribers/identities'), async ({ request }) => {
    await record(request)
    return HttpResponse.json({ url: '/login/code' })
  }),
  http.delete(at('/subscribers/identities/:id'), async ({ request, params }) => {
    await record(request)
    state.identities = state.identities.filter((each) => each.id !== params.id)
    return new HttpResponse(null, { status: 204 })
  }),
  http.delete(at('/subscribers/sessions'), async ({ request }) => {
    await record(request)
    state.sessions = state.sessions.filter(({ current }) => current)
    return empty()
  }),
  http.delete(at('/subscribers/sessions/:id'), async ({ request, params }) => {
    await record(request)
    state.sessions = state.sessions.filter((each) => each.id !== params.id)
    return empty()
  }),
  http.get(at('/subscribers/onboarding'), () => signedInOnly() ?? HttpResponse.json(state.onboarding)),
  http.put(at('/subscribers/onboarding'), async ({ request }) => {
    await record(request)
    state.onboarding = { ...state.onboarding, ...((await request.json()) as Onboarding) }
    return HttpResponse.json(state.onboarding)
  }),
  http.get(
    at('/subscribers/channels'),
    ({ request }) => signedInOnly() ?? positioned(slice(state.subscriptions, request)),
  ),
  http.post(at('/subscribers/channels/:id/subscribe'), async ({ request, params }) => {
    await record(request)
    const found = state.channels.find((each) => each.id === params.id)!
    found.following = true
    const made = subscription(ref(found))
    state.subscriptions.push(made)
    return HttpResponse.json(made)
  }),
  http.post(at('/subscribers/channels/:id/unsubscribe'), async ({ request, params }) => {
    await record(request)
    state.channels.find((each) => each.id === params.id)!.following = false
    state.subscriptions = state.subscriptions.filter(({ channel }) => channel.id !== params.id)
    return empty()
  }),
  http.patch(at('/subscribers/channels/:id'), async ({ request, params }) => {
    await record(request)
    const found = state.subscriptions.find(({ channel }) => channel.id === params.id)!
    const { mutedUntil, ...rest } = (await request.json()) as SubscriptionPatch
    Object.assign(found, rest, mutedUntil === undefined ? {} : { mutedUntil: mutedUntil ?? undefined })
    return HttpResponse.json(found)
  }),
  http.get(at('/subscribers/notifications'), ({ request }) => signedInOnly() ?? positioned(feedPage(request))),
  http.get(at('/subscribers/notifications/stream'), (info) => signedInOnly() ?? stream(info)),
  http.post(at('/subscribers/notifications/read-all'), async ({ request }) => {
    await record(request)
    state.feed = state.feed.map((item) => ({ ...item, readAt: new Date().toISOString() }))
    state.subscriptions = state.subscriptions.map((each) => ({ ...each, unreadCount: 0 }))
    return empty()
  }),
  http.get(at('/subscribers/notifications/:id'), ({ params }) => {
    const found = state.feed.find((item) => item.id === params.id)
    return found ? positioned(found) : problem(404)
  }),
  http.patch(at('/subscribers/notifications/:id'), async ({ request, params }) => {
    await record(request)
    const found = state.feed.find((item) => item.id === params.id)
    if (!found) return problem(404)
    const { archived, snoozedUntil } = (await request.json()) as { archived?: boolean; snoozedUntil?: string | null }
    if (archived !== undefined) found.archivedAt = archived ? new Date().toISOString() : undefined
    if (archived !== undefined || snoozedUntil !== undefined) found.snoozedUntil = snoozedUntil ?? undefined
    if (snoozedUntil) found.archivedAt = undefined
    return HttpResponse.json({ ...found, readAt: new Date().toISOString() })
  }),
  http.post(at('/subscribers/notifications/:id/events'), async ({ request }) => {
    await record(request)
    return empty()
  }),
  http.get(
    at('/subscribers/devices'),
    ({ request }) => signedInOnly() ?? HttpResponse.json(slice(state.devices, request)),
  ),
  http.post(at('/subscribers/devices'), async ({ request }) => {
    await record(request)
    const { installationId, name } = (await request.json()) as DeviceInput
    const known = state.devices.find((each) => each.installationId === installationId)
    if (known) return HttpResponse.json(known)
    const made = device({ installationId, name, current: true })
    state.devices.push(made)
    return HttpResponse.json(made, { status: 201 })
  }),
  http.patch(at('/subscribers/devices/:id'), async ({ request, params }) => {
    await record(request)
    const found = state.devices.find((each) => each.id === params.id)!
    Object.assign(found, await request.json())
    return HttpResponse.json(found)
  }),
  http.delete(at('/subscribers/devices/:id'), async ({ request, params }) => {
    await record(request)
    state.devices = state.devices.filter((each) => each.id !== params.id)
    return empty()
  }),
  http.post(at('/waitlist/entries'), async ({ request }) => {
    await record(request)
    return HttpResponse.json({ status: 'accepted' }, { status: 202 })
  }),
  http.get(at('/waitlist/entries/:token'), ({ params }) => place(params.token)),
  http.post(at('/waitlist/entries/:token/confirm'), async ({ request, params }) => {
    await record(request)
    if (state.place?.status === 'unconfirmed') state.place = { ...state.place, status: 'waiting', position: 340 }
    return place(params.token)
  }),
  http.delete(at('/waitlist/entries/:token'), async ({ request, params }) => {
    await record(request)
    const found = place(params.token)
    state.place = undefined
    return found.ok ? empty() : found
  }),
  http.post(at('/subscribers/devices/:id/test'), async ({ request }) => {
    await record(request)
    return HttpResponse.json({ outcome: 'accepted' })
  }),
)
