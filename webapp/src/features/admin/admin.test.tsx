import type { Account, Category, Health, HealthPart, Report } from '@sininho/sdk'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import causes from '../../../../server/internal/events/cause.go?raw'
import { responses } from '../../i18n/responses'
import { category, channel, id, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, empty, problem, record, server, slice, state } from '../../testing/server'

beforeEach(() => {
  state.subscriber = subscriber()
  state.operator = true
})

const list = <T,>(path: string, items: T[]) =>
  server.use(http.get(at(path), ({ request }) => HttpResponse.json(slice(items, request))))
const accept = (method: 'put' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
  server.use(
    http[method](at(path), async ({ request }) => {
      await record(request)
      return body ? HttpResponse.json(body) : empty()
    }),
  )

const part = (over: Partial<HealthPart> = {}): HealthPart => ({
  at: '2026-03-01T11:00:00Z',
  jobs: 0,
  oldestSeconds: 0,
  events: 0,
  published: 0,
  accepted: 0,
  failed: {},
  expired: {},
  retried: {},
  streams: 0,
  requests: 0,
  errors: 0,
  ...over,
})
const totals = (over: Partial<Health['totals']> = {}): Health['totals'] => ({
  people: 1240,
  withoutAccount: 300,
  channels: 40,
  privateChannels: 1,
  devices: 2100,
  failedLastHour: {},
  failedLastDay: {},
  paused: [],
  ...over,
})
const health = (over: Partial<Health> = {}): Health => ({
  from: '2026-02-28T12:00:00Z',
  until: '2026-03-01T12:00:00Z',
  partSeconds: 300,
  totals: totals(),
  queue: { jobs: 3, oldestSeconds: 90, events: 0 },
  nodes: [{ name: 'a:8080', seenAt: '2026-03-01T11:59:30Z', streams: 7, requests: 1200, errors: 2 }],
  parts: [],
  ...over,
})
const answerHealth = (body: Health) => {
  const seen: string[] = []
  server.use(
    http.get(at('/admin/health'), ({ request }) => {
      seen.push(new URL(request.url).search)
      return HttpResponse.json(body)
    }),
  )
  return seen
}

describe('the operators’ screens', () => {
  it('do not exist for others', async () => {
    state.operator = false
    renderApp('/admin')
    expect(await screen.findByRole('heading', { level: 1, name: 'Você Está Perdido??' })).toBeInTheDocument()
  })

  it('ask visitors to sign in', async () => {
    state.subscriber = undefined
    state.operator = false
    const { history } = renderApp('/admin/reports')
    await screen.findByRole('link', { name: 'Continuar com o Google' })
    expect(history.location.href).toContain(encodeURIComponent('/admin/reports'))
  })

  it('are linked from the preferences, for operators only', async () => {
    answerHealth(health())
    const { user, unmount } = renderApp('/settings')
    await user.click(await screen.findByRole('link', { name: 'Administração' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Estado' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Estado' })).toHaveAttribute('aria-current', 'page')
    unmount()
    state.operator = false
    renderApp('/settings')
    await screen.findByRole('heading', { level: 1, name: 'Preferências' })
    // until the app has asked again, it shows what was kept of the visit before
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Administração' })).not.toBeInTheDocument())
  })
})

describe('the health', () => {
  it('shows what waits, plots with their numbers, causes and servers', async () => {
    answerHealth(
      health({
        parts: [
          part({ accepted: 40, failed: { unregistered: 2 }, streams: 5 }),
          part({ at: '2026-03-01T11:05:00Z', accepted: 2, retried: { quota: 9, other_cause: 1 }, streams: 8 }),
        ],
      }),
    )
    const { user } = renderApp('/admin')
    expect(await screen.findByText('3 lotes à espera, o mais antigo há 90 s')).toBeInTheDocument()
    const pushes = screen.getByRole('figure', { name: 'Envios' })
    expect(pushes).toHaveTextContent('Aceites · Total: 42')
    expect(within(screen.getByRole('figure', { name: 'Streams abertas' })).getByText('Máximo: 8')).toBeInTheDocument()
    expect(within(pushes).queryByRole('table')).not.toBeInTheDocument()
    await user.click(within(pushes).getByText('Ver os números'))
    const rows = (await within(pushes).findAllByRole('row')).map((row) => row.textContent)
    expect(rows).toEqual(['HoraAceitesFalhadosExpiradosRepetidos', '1 de março', '11:0520010', '11:0040200'])
    const causes = within(screen.getByRole('region', { name: 'Causas' })).getAllByRole('row')
    expect(causes.map((row) => row.textContent)).toEqual([
      'CausaFalhadosExpiradosRepetidos',
      'o dispositivo já não existe200',
      'limite do serviço de envio009',
      'other_cause001',
    ])
    expect(screen.getByRole('row', { name: /^a:8080 agora 7 1.?200 2$/ })).toBeInTheDocument()
  })

  it('begins with whom it reaches', async () => {
    const lastPushAt = new Date(Date.now() - 5 * 60_000).toISOString()
    answerHealth(
      health({
        totals: totals({ lastPushAt, failedLastHour: { unregistered: 2 }, failedLastDay: { unregistered: 7 } }),
      }),
    )
    renderApp('/admin')
    const card = await screen.findByRole('region', { name: 'Tudo a tocar' })
    expect(card).toHaveTextContent(
      /Pessoas1.?240300 sem contaCanais401 privadoDispositivos que tocam2.?100Último envio.*Falhas num dia7o dispositivo já não existe \(7\)$/,
    )
    expect(within(card).getByText(/há 5 min/)).toHaveAttribute('datetime', lastPushAt)
  })

  it('says first what keeps it from reaching people', async () => {
    answerHealth(
      health({
        totals: totals({
          failedLastHour: { credentials: 30, invalid: 2, retired: 9 },
          paused: [{ service: 'fcm', cause: 'credentials' }],
        }),
      }),
    )
    renderApp('/admin')
    const card = await screen.findByRole('region', { name: 'Nem tudo toca' })
    expect(card).toHaveTextContent(
      /^Nem tudo tocaOs envios por fcm estão em pausa: credenciais recusadas\.32 envios falharam na última hora: credenciais recusadas \(30\), mensagem recusada \(2\)\.Pessoas/,
    )
    expect(card).toHaveTextContent(/Último envionenhum em 2 diasFalhas num dianenhuma$/)
  })

  it('says which servers went silent', async () => {
    const silent = { name: 'b:8080', seenAt: '2026-03-01T11:40:00Z', streams: 0, requests: 1, errors: 0 }
    answerHealth(health({ nodes: [silent] }))
    renderApp('/admin')
    expect(await screen.findByRole('row', { name: /b:8080/ })).toHaveTextContent('há 20 minutos · sem sinal')
  })

  it('has the period and the server in the address', async () => {
    const seen = answerHealth(health())
    const { user, history } = renderApp('/admin')
    await screen.findByText(/Ainda não há dados/)
    await user.click(screen.getByRole('radio', { name: '2 horas' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Servidor' }), 'a:8080')
    await waitFor(() => expect(seen.at(-1)).toBe('?hours=2&node=a%3A8080'))
    expect(history.location.search).toBe('?hours=2&node=a%3A8080')
  })

  it('shows an error, and tries again', async () => {
    server.use(http.get(at('/admin/health'), () => problem(503, 'A base de dados não responde.')))
    const { user } = renderApp('/admin')
    expect(await screen.findByRole('alert')).toHaveTextContent('A base de dados não responde.')
    answerHealth(health())
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByRole('row', { name: /a:8080/ })).toBeInTheDocument()
  })
})

const report = (over: Partial<Report> = {}): Report => ({
  id: id(),
  reporter: { id: id(), name: 'Lino', email: 'lino@example.com' },
  channelId: id(),
  publisherSlug: 'metro',
  channelSlug: 'linhas',
  category: 'fraud',
  text: 'Pede dados do banco',
  status: 'open',
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  ...over,
})

describe('the reports', () => {
  it('say what is wrong, and are closed', async () => {
    const reports = [report({ notificationId: id(), title: 'Ganhe dinheiro' })]
    list('/admin/reports', reports)
    const { user } = renderApp('/admin/reports')
    const row = (await screen.findByRole('link', { name: 'metro/linhas' })).closest('li')!
    expect(row).toHaveTextContent('BurlaagoraSobre a notificação «Ganhe dinheiro»«Pede dados do banco»')
    expect(row).toHaveTextContent('Lino <lino@example.com>')
    accept('patch', '/admin/reports/:id', reports[0])
    list('/admin/reports', [])
    await user.click(within(row).getByRole('button', { name: /^Marcar como tratada/ }))
    expect(await screen.findByText('Não há denúncias por tratar.')).toBeInTheDocument()
    expect(actions.at(-1)).toEqual({ call: `PATCH /admin/reports/${reports[0]!.id}`, body: { status: 'resolved' } })
  })

  it('lead to a suspension and to a withdrawal, each with a reason', async () => {
    const one = report({ notificationId: id() })
    list('/admin/reports', [one])
    accept('put', '/admin/channels/:publisher/:channel/suspension', { reason: 'x', suspendedAt: one.createdAt })
    accept('put', '/admin/notifications/:id/withdrawal')
    const { user } = renderApp('/admin/reports')
    await user.click(await screen.findByRole('button', { name: 'Suspender canal' }))
    const dialog = await screen.findByRole('dialog', { name: 'Suspender «metro/linhas»?' })
    await user.click(within(dialog).getByRole('button', { name: 'Suspender' }))
    expect(within(dialog).getByRole('textbox', { name: 'Motivo' })).toHaveAccessibleDescription(/Escreva o motivo/)
    await user.type(within(dialog).getByRole('textbox', { name: 'Motivo' }), ' Burla ')
    await user.click(within(dialog).getByRole('button', { name: 'Suspender' }))
    expect(await screen.findByText('Suspensão aplicada.')).toBeInTheDocument()
    const suspension = { call: 'PUT /admin/channels/metro/linhas/suspension', body: { reason: 'Burla' } }
    expect(actions.at(-1)).toEqual(suspension)
    await user.click(screen.getByRole('button', { name: 'Retirar notificação' }))
    await user.type(await screen.findByRole('textbox', { name: 'Motivo' }), 'Burla')
    await user.click(screen.getByRole('button', { name: 'Retirar' }))
    expect(await screen.findByText('Notificação retirada.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Retirar notificação' })).toBeDisabled()
  })

  it('show an error', async () => {
    server.use(http.get(at('/admin/reports'), () => problem(500, 'Falhou.')))
    renderApp('/admin/reports?state=resolved')
    expect(await screen.findByRole('alert')).toHaveTextContent('Falhou.')
  })
})

describe('the requests to publish', () => {
  const asked = () => ({
    id: id(),
    asker: { id: id(), name: 'Ana', email: 'ana@example.com' },
    slug: 'escola',
    name: 'Escola',
    reason: 'Avisos aos pais',
    status: 'pending',
    createdAt: new Date().toISOString(),
  })

  it('are approved', async () => {
    const one = asked()
    list('/admin/publisher-requests', [one])
    accept('patch', '/admin/publisher-requests/:id', { ...one, status: 'approved' })
    const { user } = renderApp('/admin/requests')
    const row = (await screen.findByText('Escola')).closest('li')!
    expect(row).toHaveTextContent('«Avisos aos pais»Ana <ana@example.com>')
    list('/admin/publisher-requests', [])
    await user.click(within(row).getByRole('button', { name: 'Aprovar Escola' }))
    expect(await screen.findByText('Não há pedidos por ver.')).toBeInTheDocument()
    expect(actions.at(-1)).toEqual({
      call: `PATCH /admin/publisher-requests/${one.id}`,
      body: { status: 'approved' },
    })
  })

  it('are refused, with words for the person or without', async () => {
    list('/admin/publisher-requests', [asked()])
    accept('patch', '/admin/publisher-requests/:id', asked())
    const { user } = renderApp('/admin/requests')
    for (const [words, body] of [
      ['Escreva-nos primeiro', { status: 'refused', answer: 'Escreva-nos primeiro' }],
      ['', { status: 'refused' }],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: 'Recusar Escola' }))
      const dialog = await screen.findByRole('dialog', { name: 'Recusar «Escola»?' })
      if (words) await user.type(within(dialog).getByRole('textbox', { name: 'Motivo' }), words)
      await user.click(within(dialog).getByRole('button', { name: 'Recusar' }))
      await waitFor(() => expect(actions.at(-1)?.body).toEqual(body))
    }
  })
})

describe('moderation', () => {
  it('shows what is suspended with the reason, and lifts it', async () => {
    list('/admin/channels', [
      channel({ visibility: 'unlisted', suspension: { reason: 'Burla', suspendedAt: '2026-02-01T12:00:00Z' } }),
    ])
    accept('delete', '/admin/channels/:publisher/:channel/suspension')
    const { user } = renderApp('/admin/moderation')
    expect(await screen.findByText('Suspensão desde 01/02/2026: Burla')).toBeInTheDocument()
    expect(screen.getByText(/não listado/)).toBeInTheDocument()
    list('/admin/channels', [])
    await user.click(screen.getByRole('button', { name: 'Levantar a suspensão de metro/linhas' }))
    expect(await screen.findByText('Nada está suspenso.')).toBeInTheDocument()
    expect(actions.at(-1)?.call).toBe('DELETE /admin/channels/metro/linhas/suspension')
  })

  it('finds an account by its address, and suspends it', async () => {
    const ana: Account = { id: id(), name: 'Ana', email: 'ana@example.com', createdAt: '2026-01-01T12:00:00Z' }
    server.use(
      http.get(at('/admin/subscribers'), ({ request }) => {
        const email = new URL(request.url).searchParams.get('email')
        return HttpResponse.json(slice(email === ana.email ? [ana] : [], request))
      }),
    )
    list('/admin/channels', [])
    accept('put', '/admin/subscribers/:id/suspension', { reason: 'Spam', suspendedAt: ana.createdAt })
    const { user, history } = renderApp('/admin/moderation')
    await user.click(await screen.findByRole('radio', { name: 'Contas' }))
    await user.type(
      await screen.findByRole('searchbox', { name: 'Endereço de e-mail da conta' }),
      `${ana.email}{Enter}`,
    )
    await user.click(await screen.findByRole('button', { name: 'Suspender ana@example.com' }))
    expect(history.location.search).toBe('?kind=accounts&q=ana%40example.com')
    await user.type(await screen.findByRole('textbox', { name: 'Motivo' }), 'Spam')
    await user.click(screen.getByRole('button', { name: 'Suspender' }))
    await waitFor(() => expect(actions.at(-1)?.call).toBe(`PUT /admin/subscribers/${ana.id}/suspension`))
  })

  it('finds publishers', async () => {
    list('/admin/publishers', [
      { ...channel().publisher, description: '', channelCount: 2, createdAt: '2026-01-01T00:00:00Z' },
    ])
    renderApp('/admin/moderation?kind=publishers&q=metro')
    const found = (await screen.findByText('2 canais públicos')).closest('li')
    expect(found).toHaveTextContent('metro · 2 canais públicos')
  })
})

describe('the audit log', () => {
  it('says who did what to what by name, also with an action that it does not know', async () => {
    const objectId = id()
    list('/admin/audit-log', [
      {
        id: id(),
        at: new Date().toISOString(),
        action: 'suspendChannel',
        actor: { kind: 'operator', id: id(), name: 'Eva' },
        object: { id: objectId, name: 'linhas' },
        channel: { id: objectId, publisherSlug: 'metro', slug: 'linhas', name: 'Estado das linhas' },
        publisherSlug: 'metro',
        publisherName: 'Metro de Lisboa',
        detail: { reason: 'Burla' },
        network: '203.0.113.7',
      },
      { id: id(), at: new Date().toISOString(), action: 'newAction', actor: { kind: 'system' }, object: { name: '' } },
      {
        id: id(),
        at: new Date().toISOString(),
        action: 'withdrawNotification',
        actor: { kind: 'person', id: id() },
        object: { id: id(), name: '' },
        channel: { id: objectId, publisherSlug: 'metro', slug: 'linhas', name: 'Estado das linhas' },
        detail: { channel: 'linhas' },
      },
      {
        id: id(),
        at: new Date().toISOString(),
        action: 'deletePublisher',
        actor: { kind: 'key', id: id() },
        object: { id: id(), name: 'bairro' },
      },
      {
        id: id(),
        at: new Date().toISOString(),
        action: 'removeMember',
        actor: { kind: 'person', id: id(), name: 'Ana' },
        object: { id: id(), name: '' },
        publisherSlug: 'metro',
        publisherName: 'Metro de Lisboa',
      },
    ])
    renderApp('/admin/audit')
    const log = await screen.findByRole('list', { name: 'Registo de alterações' })
    const [first, second, third, fourth, fifth] = within(log).getAllByRole('listitem')
    expect(first).toHaveTextContent(
      new RegExp(
        `^Suspendeu o canal Estado das linhasagoramotivo: BurlaEva \\(um operador\\) · em Metro de LisboaPormenoresidentificador: ${objectId}rede: 203.0.113.7$`,
      ),
    )
    expect(within(first!).getByRole('link', { name: 'Estado das linhas' })).toHaveAttribute(
      'href',
      '/channels/metro/linhas',
    )
    expect(within(first!).getByRole('link', { name: 'em Metro de Lisboa' })).toHaveAttribute('href', '/channels/metro')
    expect(second).toHaveTextContent('newAction')
    expect(second).toHaveTextContent('o servidor')
    expect(third).toHaveTextContent(/^Retirou a notificação agoraconta apagada \(uma pessoa\) · em Estado das linhas/)
    expect(fourth).toHaveTextContent(/^Apagou o publicador «bairro» \(já não existe\)agorachave apagada/)
    expect(fifth).toHaveTextContent(/^Removeu o membro conta apagadaagoraAna \(uma pessoa\) · em Metro de Lisboa/)
  })

  it('says when there is no such publisher', async () => {
    list('/admin/audit-log', [])
    const { user } = renderApp('/admin/audit')
    expect(await screen.findByText('Não há alterações registadas.')).toBeInTheDocument()
    server.use(http.get(at('/admin/audit-log'), () => problem(404, 'Não existe.', 'not_found')))
    await user.type(screen.getByRole('textbox', { name: 'Só de um publicador' }), 'Nada{Enter}')
    expect(await screen.findByText('Não há nenhum publicador com este nome.')).toBeInTheDocument()
  })
})

describe('the categories', () => {
  it('are created with a slug of the name, changed and deleted', async () => {
    state.categories = [category()]
    accept('post', '/categories', category())
    accept('patch', '/categories/:id', category())
    accept('delete', '/categories/:id')
    const { user } = renderApp('/admin/categories')
    await user.click(await screen.findByRole('button', { name: 'Criar categoria' }))
    const form = screen.getByRole('form', { name: 'Nova categoria' })
    await user.click(within(form).getByRole('button', { name: 'Criar categoria' }))
    expect(within(form).getByRole('textbox', { name: 'Nome' })).toHaveAccessibleDescription('Escreva um nome.')
    await user.type(within(form).getByRole('textbox', { name: 'Nome' }), 'Arte e Educação')
    expect(within(form).getByRole('textbox', { name: 'Nome no endereço' })).toHaveValue('arte-e-educacao')
    await user.click(within(form).getByRole('button', { name: 'Criar categoria' }))
    await waitFor(() =>
      expect(actions.at(-1)?.body).toEqual({ name: 'Arte e Educação', slug: 'arte-e-educacao', position: 0 }),
    )
    expect(await screen.findByText('Categoria criada.')).toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Alterar Transportes' }))
    const change = screen.getByRole('form', { name: 'Alterar «Transportes»' })
    await user.clear(within(change).getByRole('textbox', { name: 'Posição' }))
    await user.type(within(change).getByRole('textbox', { name: 'Posição' }), '20')
    await user.click(within(change).getByRole('button', { name: 'Guardar' }))
    await waitFor(() =>
      expect(actions.at(-1)?.body).toEqual({ name: 'Transportes', slug: 'transportes', position: 20 }),
    )

    await user.click(await screen.findByRole('button', { name: 'Apagar Transportes' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Apagar' }))
    await waitFor(() => expect(actions.at(-1)?.call).toBe(`DELETE /categories/${(state.categories[0] as Category).id}`))
  })
})

const entry = (email: string, over = {}) => ({
  id: id(),
  email,
  status: 'waiting',
  position: 1,
  referrals: 3,
  locale: 'pt',
  createdAt: '2026-01-01T12:00:00Z',
  ...over,
})

describe('the waiting list', () => {
  it('invites the next people, and chosen ones', async () => {
    list('/waitlist/entries', [
      entry('ana@example.com', { name: 'Ana' }),
      entry('rui@example.com', { status: 'joined' }),
    ])
    accept('post', '/waitlist/invitations', { data: [] })
    const { user } = renderApp('/admin/waitlist')
    const first = (await screen.findByText('Ana')).closest('li')
    expect(first).toHaveTextContent('Ana · n.º 1 · trouxe 3 pessoas · desde 01/01/2026')
    const next = screen.getByRole('textbox', { name: 'Convidar os próximos' })
    await user.clear(next)
    await user.type(next, '0{Enter}')
    expect(next).toHaveAccessibleDescription('Escreva um número de 1 a 1000.')
    await user.clear(next)
    await user.type(next, '25{Enter}')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Enviar' }))
    await waitFor(() => expect(actions.at(-1)?.body).toEqual({ next: 25 }))

    expect(screen.getByRole('checkbox', { name: 'Escolher rui@example.com' })).toBeDisabled()
    await user.click(screen.getByRole('checkbox', { name: 'Escolher ana@example.com' }))
    await user.click(screen.getByRole('button', { name: 'Convidar 1 pessoa' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Enviar' }))
    await waitFor(() => expect(actions.at(-1)?.body).toEqual({ emails: ['ana@example.com'] }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Convidar 1/ })).not.toBeInTheDocument())
  })

  it('shows the server’s text when it is closed', async () => {
    server.use(http.get(at('/waitlist/entries'), () => problem(503, 'A lista de espera está fechada.')))
    renderApp('/admin/waitlist?status=invited')
    expect(await screen.findByRole('alert')).toHaveTextContent('A lista de espera está fechada.')
    expect(screen.getByRole('combobox', { name: 'Estado' })).toHaveValue('invited')
  })
})

it('lists the failing event endpoints with the cause', async () => {
  const endpoint = { id: id(), publisherSlug: 'metro', name: 'Painel', host: 'hooks.example.com:443', pending: 4 }
  list('/admin/event-endpoints', [
    {
      ...endpoint,
      enabled: true,
      failingSince: new Date().toISOString(),
      pausedUntil: '2999-01-01T10:00:00Z',
      lastStatus: 503,
    },
    { ...endpoint, id: id(), enabled: false, lastError: 'it refuses connections' },
  ])
  renderApp('/admin/endpoints')
  const [paused, off] = await screen.findAllByText('Painel (metro)')
  expect(paused!.closest('li')).toHaveTextContent(
    /hooks.example.com:443: respondeu 503primeira falha agora · 4 eventos à esperaEm pausa/,
  )
  expect(off!.closest('li')).toHaveTextContent(/recusa ligações.*Desligado/)
})

it('has a text for each error of an event endpoint that the server knows', () => {
  const errors = [...causes.matchAll(/cause = "(.+)"$/gm)].map(([, text]) => text)
  expect(errors.length).toBeGreaterThan(0)
  expect(Object.keys(responses.errors)).toEqual(errors)
})

it('lists the settings, without secrets', async () => {
  const settings = [
    { name: 'LOG_LEVEL', value: 'info', set: true, secret: false, source: 'default' },
    { name: 'SECRET_KEY', set: true, secret: true, source: 'environment' },
    { name: 'SMTP_URL', set: false, secret: true, source: 'default' },
  ]
  server.use(http.get(at('/admin/settings'), () => HttpResponse.json({ data: settings })))
  const { user } = renderApp('/admin/settings')
  const rows = (await screen.findAllByRole('row')).map((row) => row.textContent)
  expect(rows).toEqual([
    'VariávelValorOrigem',
    'LOG_LEVELinfopor omissão',
    'SECRET_KEYdefinido, em segredoambiente',
    'SMTP_URLnão definidopor omissão',
  ])
  await user.click(screen.getByRole('switch', { name: 'Só as que foram definidas' }))
  expect(screen.getAllByRole('row')).toHaveLength(2)
})
