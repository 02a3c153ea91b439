import type { Notification } from '@sininho/sdk'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openedQuery } from '../../data/notifications'
import { channel, notification, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server, state } from '../../testing/server'

const metro = channel()
const days = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString()
const item = (over: Partial<Notification> = {}) => notification({ channel: ref(metro), ...over })
const cards = () => screen.getAllByRole('article')
const listening = () => waitFor(() => expect(live.open.size).toBe(1))

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.subscriptions = [subscription(ref(metro), { unreadCount: 1 })]
})

describe('the feed', () => {
  it('shows that it loads', async () => {
    server.use(http.get(at('/subscribers/notifications'), () => delay('infinite')))
    renderApp('/feed')
    expect(await screen.findByRole('heading', { level: 1, name: 'Notificações' })).toBeInTheDocument()
    expect(screen.getByText('A carregar…')).toBeInTheDocument()
  })

  it('groups by day', async () => {
    state.feed = [
      item({ title: 'De hoje' }),
      item({ title: 'De ontem', publishedAt: days(1) }),
      item({ title: 'Antiga', publishedAt: '2024-03-05T10:00:00Z' }),
    ]
    renderApp('/feed')
    expect(within(await screen.findByRole('region', { name: 'Hoje' })).getByText('De hoje')).toBeInTheDocument()
    expect(within(screen.getByRole('region', { name: 'Ontem' })).getByText('De ontem')).toBeInTheDocument()
    expect(within(screen.getByRole('region', { name: '5 de março de 2024' })).getByText('Antiga')).toBeInTheDocument()
    expect(screen.getByText('É tudo por agora.')).toBeInTheDocument()
  })

  it('says when there is nothing, and where to find channels', async () => {
    renderApp('/feed')
    expect(await screen.findByText('Ainda não há notificações')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Descobrir canais' })).toHaveAttribute('href', '/channels')
  })

  it('shows the error and retries', async () => {
    server.use(http.get(at('/subscribers/notifications'), () => problem(500, 'Algo falhou no servidor.')))
    const { user } = renderApp('/feed')
    expect(await screen.findByRole('alert')).toHaveTextContent('Algo falhou no servidor.')
    server.resetHandlers()
    state.feed = [item()]
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByText('Linha azul reaberta')).toBeInTheDocument()
  })

  it('asks by limit and offset, then by cursor', async () => {
    state.feed = Array.from({ length: 12 }, (_, index) => item({ title: `Aviso ${index}` }))
    const queries: string[] = []
    server.events.on('request:start', ({ request }) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/subscribers/notifications')) queries.push(url.search)
    })
    const { user } = renderApp('/feed')
    await screen.findByText('Aviso 9')
    expect(queries[0]).toBe('?limit=10&offset=0')
    expect(screen.queryByText('Aviso 10')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Carregar mais' }))
    expect(await screen.findByText('Aviso 11')).toBeInTheDocument()
    expect(queries.at(-1)).toBe('?limit=10&cursor=10')
    expect(screen.queryByRole('button', { name: 'Carregar mais' })).not.toBeInTheDocument()
  })

  it('goes on by offset, up to the total, where no cursor is given', async () => {
    const all = Array.from({ length: 12 }, (_, index) => item({ title: `Aviso ${index}` }))
    server.use(
      http.get(at('/subscribers/notifications'), ({ request }) => {
        const query = new URL(request.url).searchParams
        const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
        return HttpResponse.json({ data: all.slice(offset, offset + limit), meta: { total: all.length } })
      }),
    )
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Carregar mais' }))
    expect(await screen.findByText('Aviso 11')).toBeInTheDocument()
    expect(cards()).toHaveLength(12)
    expect(screen.queryByRole('button', { name: 'Carregar mais' })).not.toBeInTheDocument()
    expect(screen.getByText('É tudo por agora.')).toBeInTheDocument()
  })

  it('keeps the loaded notifications when more fail to load', async () => {
    state.feed = Array.from({ length: 12 }, (_, index) => item({ title: `Aviso ${index}` }))
    const { user } = renderApp('/feed')
    await screen.findByText('Aviso 9')
    server.use(http.get(at('/subscribers/notifications'), () => problem(503)))
    await user.click(screen.getByRole('button', { name: 'Carregar mais' }))
    expect(await screen.findByRole('button', { name: 'Tentar novamente' })).toBeInTheDocument()
    expect(cards()).toHaveLength(10)
  })

  it('marks an opened notification as read at once', async () => {
    state.feed = [item({ id: 'n1' })]
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Por ler: Linha azul reaberta' }))
    expect(screen.getByRole('button', { name: 'Linha azul reaberta' })).toBeInTheDocument()
    await waitFor(() =>
      expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/n1/events', body: { type: 'opened' } }),
    )
  })

  it('reverts when marking as read fails', async () => {
    state.feed = [item({ id: 'n1' })]
    server.use(http.post(at('/subscribers/notifications/n1/events'), () => problem(500)))
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Por ler: Linha azul reaberta' }))
    expect(await screen.findByText('Não foi possível marcar como lida.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Por ler: Linha azul reaberta' })).toBeInTheDocument()
  })

  it('marks all as read', async () => {
    state.feed = [item(), item()]
    const { user } = renderApp('/feed')
    expect(await screen.findAllByRole('button', { name: /^Por ler/ })).toHaveLength(2)
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    expect(await screen.findByText('Está tudo lido.')).toBeInTheDocument()
    expect(screen.queryAllByRole('button', { name: /^Por ler/ })).toHaveLength(0)
    expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/read-all', body: {} })
  })

  it('shows markup as text', async () => {
    state.feed = [item({ title: '<img src=x onerror=alert(1)>', body: '<b>forte</b>' })]
    renderApp('/feed')
    expect(await screen.findByRole('button', { name: /<img src=x onerror/ })).toBeInTheDocument()
    expect(screen.getByText('<b>forte</b>')).toBeInTheDocument()
  })

  it('holds a long text back until it is asked for, and then shows it whole', async () => {
    const body = `Início. ${'muito '.repeat(3300)}fim.`
    state.feed = [item({ id: 'n1', body })]
    const { user } = renderApp('/feed')
    const more = await screen.findByRole('button', { name: 'Ler mais', expanded: false })
    expect(screen.getByText(/^Início/).textContent!.length).toBeLessThan(1000)
    await user.click(more)
    expect(screen.getByText(/^Início/)).toHaveTextContent(/fim\.$/)
    await waitFor(() => expect(actions.map(({ call }) => call)).toContain('POST /subscribers/notifications/n1/events'))
    await user.click(screen.getByRole('button', { name: 'Ler menos', expanded: true }))
    expect(screen.getByText(/^Início/)).not.toHaveTextContent(/fim\./)
  })

  it('loads pictures from this server rather than from publishers', async () => {
    const theirs = { image: 'http://example.com/i.png', icon: 'https://example.com/c.png' }
    const [image, icon, channelIcon] = ['i', 'c', 'm'].map((each) => `https://sininho.example/pictures/x/${each}`)
    const channel = { ...item().channel, icon: 'https://example.com/m.png', iconProxy: channelIcon }
    state.feed = [item({ ...theirs, imageProxy: image, iconProxy: icon }), item({ channel })]
    renderApp('/feed')
    const cards = await screen.findAllByRole('article')
    const pictures = cards.map((card) => [...card.querySelectorAll('img')].map(({ src }) => src))
    expect(pictures).toEqual([[icon, image], [channelIcon]])
  })

  it('leaves no hole for an image that cannot be had, and initials for an icon', async () => {
    const image = 'https://example.com/i.png'
    state.feed = [item({ image, icon: 'https://example.com/c.png' })]
    renderApp('/feed')
    const card = await screen.findByRole('article')
    for (const each of card.querySelectorAll('img')) fireEvent.error(each)
    expect(card.querySelector('img')).not.toBeInTheDocument()
    expect(within(card).getByText('ML')).toBeInTheDocument()
    await listening()
    live.send('corrected', { ...state.feed[0]!, image: 'https://example.com/outra.png' })
    await waitFor(() => expect(card.querySelector('img[src$="outra.png"]')).toBeInTheDocument())
  })

  it('shows the relative time, and the whole date on hover', async () => {
    state.feed = [
      item({ publishedAt: new Date(Date.now() - 5 * 60_000).toISOString() }),
      item({ publishedAt: '2024-12-31T23:30:00Z' }),
    ]
    renderApp('/feed')
    const [fresh, old] = (await screen.findAllByRole('article')).map((card) => card.querySelector('time'))
    expect(fresh).toHaveTextContent('há 5 minutos')
    expect(old).toHaveTextContent('23:30')
    expect(old).toHaveAttribute('title', expect.stringMatching(/^terça-feira, 31 de dezembro de 2024.*23:30$/))
  })

  it('archives one by its menu, and brings it back', async () => {
    state.feed = [item({ id: 'n1', title: 'A arquivar' }), item({ title: 'Fica' })]
    state.subscriptions[0]!.unreadCount = 2
    const { user } = renderApp('/feed')
    await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
    await user.click(screen.getByRole('menuitem', { name: 'Arquivar' }))
    await waitFor(() => expect(screen.queryByText('A arquivar')).not.toBeInTheDocument())
    await user.click(await screen.findByRole('button', { name: 'Anular' }))
    expect(await screen.findByText('A arquivar')).toBeInTheDocument()
    const call = 'PATCH /subscribers/notifications/n1'
    expect(actions).toEqual([
      { call, body: { archived: true } },
      { call, body: { archived: false } },
    ])
  })

  it('shows what is brought back before anything is fetched, also when its event arrives first', async () => {
    state.feed = [item({ id: 'n1', title: 'A arquivar' }), item({ title: 'Fica' })]
    const { user } = renderApp('/feed')
    await listening()
    await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
    await user.click(screen.getByRole('menuitem', { name: 'Arquivar' }))
    const undo = await screen.findByRole('button', { name: 'Anular' })
    server.use(http.get(at('/subscribers/notifications'), () => delay('infinite')))
    await user.click(undo)
    expect(await screen.findByText('A arquivar')).toBeInTheDocument()
    live.send('read', { notificationId: 'n1', readAt: null, archived: false }, '2')
    live.send('notification', item({ title: 'Depois' }), '3')
    await screen.findByText('Depois')
    expect(screen.getByText('A arquivar')).toBeInTheDocument()
  })

  it('puts a notification back when archiving fails', async () => {
    state.feed = [item({ id: 'n1' })]
    server.use(http.patch(at('/subscribers/notifications/n1'), () => problem(500)))
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Opções' }))
    await user.click(screen.getByRole('menuitem', { name: 'Arquivar' }))
    expect(await screen.findByText('Não foi possível arquivar.')).toBeInTheDocument()
    expect(screen.getByText('Linha azul reaberta')).toBeInTheDocument()
  })

  it('marks one as read and as unread by its menu, which the keyboard reaches', async () => {
    state.feed = [item({ id: 'n1' })]
    const { user } = renderApp('/feed')
    const options = await screen.findByRole('button', { name: 'Opções', description: /Linha azul reaberta/ })
    await user.click(options)
    expect(screen.getByRole('menuitem', { name: 'Marcar como lida' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'Arquivar' })).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    expect(options).toHaveFocus()
    await user.keyboard('{Enter}{Enter}')
    expect(await screen.findByRole('button', { name: 'Linha azul reaberta' })).toBeInTheDocument()
    await user.click(options)
    await user.click(screen.getByRole('menuitem', { name: 'Marcar como não lida' }))
    expect(await screen.findByRole('button', { name: 'Por ler: Linha azul reaberta' })).toBeInTheDocument()
    expect(actions.map(({ body }) => body)).toEqual([{ read: true }, { read: false }])
  })

  it('puts back each of two that could not be archived, where it was', async () => {
    const at8 = (minute: number) => new Date(Date.UTC(2026, 0, 2, 8, minute)).toISOString()
    state.feed = ['Terceira', 'Segunda', 'Primeira'].map((title, index) =>
      item({ id: `n${index}`, title, publishedAt: at8(30 - index) }),
    )
    let refuse = () => undefined as void
    const held = new Promise<void>((resolve) => (refuse = resolve))
    server.use(http.patch(at('/subscribers/notifications/:id'), () => held.then(() => problem(500))))
    const { user } = renderApp('/feed')
    for (const left of [2, 1]) {
      await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
      await user.click(screen.getByRole('menuitem', { name: 'Arquivar' }))
      await waitFor(() => expect(cards()).toHaveLength(left))
    }
    refuse()
    await waitFor(() => expect(cards()).toHaveLength(3))
    expect(cards().map((card) => within(card).getByRole('heading').textContent)).toEqual([
      expect.stringContaining('Terceira'),
      expect.stringContaining('Segunda'),
      expect.stringContaining('Primeira'),
    ])
  })

  it('moves the focus beside the removed notification', async () => {
    state.feed = [item({ id: 'n1', title: 'A arquivar' }), item({ title: 'Fica' })]
    const { user } = renderApp('/feed')
    await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
    await user.click(screen.getByRole('menuitem', { name: 'Arquivar' }))
    await waitFor(() => expect(screen.queryByText('A arquivar')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: /Fica/ })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Marcar tudo como lido' }))
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  it('takes back "mark all as read" where all that was unread is known', async () => {
    state.feed = [item({ id: 'n1' }), item({ id: 'n2', readAt: new Date().toISOString() })]
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    await user.click(await screen.findByRole('button', { name: 'Anular' }))
    await waitFor(() =>
      expect(actions.at(-1)).toEqual({ call: 'PATCH /subscribers/notifications/n1', body: { read: false } }),
    )
  })

  it('does not offer an undo that is impossible', async () => {
    state.feed = [item()]
    state.subscriptions[0]!.unreadCount = 50
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    await screen.findByText('Está tudo lido.')
    expect(screen.queryByRole('button', { name: 'Anular' })).not.toBeInTheDocument()
  })

  it('that follows channels without a notification says so', async () => {
    renderApp('/feed')
    expect(await screen.findByText(/Os canais que segue ainda não publicaram nada/)).toBeInTheDocument()
  })

  it('leads to the feed instead of to a page of ours that acts for the reader', async () => {
    const { origin } = location
    state.feed = [
      item({ id: 'n1', link: `${origin}/login/device?code=BCDF-GHJK` }),
      item({ link: `${origin}/channels` }),
    ]
    renderApp('/feed')
    expect(await screen.findByRole('link', { name: 'Abrir' })).toHaveAttribute('href', '/feed?notification=n1')
    expect(screen.getByRole('link', { name: `Abrir ${location.host}` })).toHaveAttribute('href', `${origin}/channels`)
  })

  it('opens links outside, and no address but http', async () => {
    state.feed = [item({ link: 'https://www.example.com/a' }), item({ link: 'javascript:alert(1)' })]
    renderApp('/feed')
    const link = await screen.findByRole('link', { name: 'Abrir example.com' })
    expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(screen.getAllByRole('link', { name: /^Abrir/ })).toHaveLength(1)
  })

  it('shows one channel from the address', async () => {
    const other = channel({ publisherSlug: 'tempo', slug: 'avisos', name: 'Tempo' })
    state.subscriptions.push(subscription(ref(other)))
    state.feed = [item({ title: 'Do metro' }), notification({ channel: ref(other), title: 'Do tempo' })]
    renderApp('/feed?channel=tempo/avisos')
    expect(await screen.findByRole('heading', { level: 1, name: 'Tempo' })).toBeInTheDocument()
    expect(await screen.findByText('Do tempo')).toBeInTheDocument()
    expect(screen.queryByText('Do metro')).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: /Tempo/, current: 'page' })).toBeInTheDocument()
  })
})

describe('an unfollowed channel', () => {
  const tempo = () => channel({ publisherSlug: 'tempo', slug: 'avisos', name: 'Tempo' })

  it('has its name, and the ways to its page and to follow it', async () => {
    state.channels = [tempo()]
    const { user } = renderApp('/feed?channel=tempo/avisos')
    expect(await screen.findByRole('heading', { level: 1, name: 'Tempo' })).toBeInTheDocument()
    expect(document.title).toBe('Tempo · Sininho')
    expect(screen.getByText('Este canal ainda não publicou nada')).toBeInTheDocument()
    expect(await screen.findByRole('link', { name: 'Ver canal' })).toHaveAttribute('href', '/channels/tempo/avisos')
    // the unread notification is of another channel
    expect(screen.queryByRole('button', { name: 'Marcar tudo como lido' })).not.toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Seguir Tempo' }))
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Sino de Tempo:/ })).not.toHaveLength(0))
    expect(screen.queryByRole('link', { name: 'Ver canal' })).not.toBeInTheDocument()
  })

  it('takes its name from its notifications while nothing else is loaded', async () => {
    server.use(http.get(at('/channels/tempo/avisos'), () => delay('infinite')))
    state.feed = [notification({ channel: ref(tempo()) })]
    renderApp('/feed?channel=tempo/avisos')
    expect(await screen.findByRole('heading', { level: 1, name: 'Tempo' })).toBeInTheDocument()
  })

  it('reports that it does not exist', async () => {
    server.use(http.get(at('/channels/tempo/avisos/notifications'), () => problem(404)))
    renderApp('/feed?channel=tempo/avisos')
    expect(await screen.findByText('Este canal não existe')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Ver canal' })).not.toBeInTheDocument()
  })
})

describe('live arrivals', () => {
  it('appear at the top, once', async () => {
    state.feed = [item({ title: 'Antes' })]
    renderApp('/feed')
    await screen.findByText('Antes')
    await listening()
    const arrived = item({ title: 'Agora mesmo' })
    live.send('notification', arrived, '2')
    live.send('notification', arrived, '2')
    expect(await screen.findByText('Agora mesmo')).toBeInTheDocument()
    expect(cards()).toHaveLength(2)
    expect(cards()[0]).toHaveTextContent('Agora mesmo')
    expect(document.title).toBe('(2) Notificações · Sininho')
  })

  it('wait behind a pill while the reader is further down', async () => {
    state.feed = [item({ title: 'Antes' })]
    const { user } = renderApp('/feed')
    await screen.findByText('Antes')
    await listening()
    Object.defineProperty(globalThis, 'scrollY', { value: 900, configurable: true })
    fireEvent.scroll(window)
    live.send('notification', item({ title: 'Primeira' }), '2')
    await screen.findByRole('button', { name: '1 nova notificação' })
    live.send('notification', item({ title: 'Segunda' }), '3')
    const pill = await screen.findByRole('button', { name: '2 novas notificações' })
    expect(cards()).toHaveLength(1)
    await user.click(pill)
    expect(cards()).toHaveLength(3)
    Object.defineProperty(globalThis, 'scrollY', { value: 0, configurable: true })
    fireEvent.scroll(window)
  })

  it('are corrected and withdrawn in place', async () => {
    state.feed = [item({ id: 'n1', title: 'Com erro' }), item({ id: 'n2', title: 'A mais' })]
    renderApp('/feed')
    await screen.findByText('Com erro')
    await listening()
    live.send('corrected', item({ id: 'n1', title: 'Sem erro', editedAt: new Date().toISOString() }))
    live.send('withdrawn', { id: 'n2', channelId: metro.id })
    expect(await screen.findByText('Sem erro')).toBeInTheDocument()
    expect(screen.getByText('corrigida')).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByText('A mais')).not.toBeInTheDocument())
  })

  it('are read here when read on another device', async () => {
    state.feed = [item({ id: 'n1' }), item({ id: 'n2' })]
    renderApp('/feed')
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Por ler/ })).toHaveLength(2))
    await listening()
    live.send('read', { notificationId: 'n1', readAt: new Date().toISOString() })
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Por ler/ })).toHaveLength(1))
    live.send('read', { channelId: metro.id })
    await waitFor(() => expect(screen.queryAllByRole('button', { name: /^Por ler/ })).toHaveLength(0))
  })

  it('leave when archived on another device, and come back with it', async () => {
    state.feed = [item({ id: 'n1', title: 'Arrumada' }), item({ id: 'n2', title: 'Outra' })]
    renderApp('/feed')
    await screen.findByText('Arrumada')
    await listening()
    live.send('read', { notificationId: 'n1', archived: true })
    await waitFor(() => expect(screen.queryByText('Arrumada')).not.toBeInTheDocument())
    expect(screen.getByText('Outra')).toBeInTheDocument()
    live.send('read', { notificationId: 'n1', archived: false })
    expect(await screen.findByText('Arrumada')).toBeInTheDocument()
  })

  it('are fetched again when too much was missed', async () => {
    renderApp('/feed')
    await screen.findByText('Ainda não há notificações')
    await listening()
    state.feed = [item({ title: 'Perdida' })]
    live.send('reset', {})
    expect(await screen.findByText('Perdida')).toBeInTheDocument()
  })

  it('are announced on other screens, as the bell says, once it is known', async () => {
    let respond = () => {}
    const held = new Promise<void>((resolve) => (respond = resolve))
    server.use(http.get(at('/subscribers/channels'), () => held))
    renderApp('/channels')
    await screen.findByRole('heading', { level: 1, name: 'Canais' })
    await listening()
    live.send('notification', item({ title: 'Toca', body: 'Texto' }))
    respond()
    const toast = (await screen.findByText('Toca')).closest('[role=status]') as HTMLElement
    expect(toast).toHaveTextContent(`${metro.name} · Texto`)
    expect(within(toast).getByRole('link', { name: 'Abrir' })).toHaveAttribute(
      'href',
      expect.stringContaining('/feed?notification='),
    )
  })
})

it('a notification that arrives while the feed is fetched is not lost', async () => {
  let respond = () => undefined as void
  const held = new Promise<void>((resolve) => (respond = resolve))
  const late = { data: [], meta: { total: 0 } }
  const first = http.get(at('/subscribers/notifications'), () => held.then(() => HttpResponse.json(late)), {
    once: true,
  })
  server.use(first)
  renderApp('/feed')
  await listening()
  const arrived = item({ title: 'Entretanto' })
  state.feed = [arrived]
  live.send('notification', arrived, '2')
  respond()
  expect(await screen.findByRole('button', { name: /Entretanto/ })).toBeInTheDocument()
})

describe('a feed that fails while the stream comes to stand', () => {
  const failing = () => {
    let fail = () => undefined as void
    const held = new Promise<void>((resolve) => (fail = resolve))
    const asked = vi.fn(() => held.then(() => problem(500, 'Algo falhou no servidor.')))
    server.use(http.get(at('/subscribers/notifications'), asked))
    return { asked, fail }
  }

  it('is not tried again beyond its tries', async () => {
    const { asked, fail } = failing()
    renderApp('/feed')
    await listening()
    live.send('notification', item(), '2')
    fail()
    expect(await screen.findByRole('alert')).toHaveTextContent('Algo falhou no servidor.')
    expect(asked).toHaveBeenCalledOnce()
  })

  it('is fetched at once when the stream is open again, once each time', async () => {
    const { asked, fail } = failing()
    renderApp('/feed')
    await listening()
    fail()
    await screen.findByRole('alert')
    live.send('reset', {})
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2))
    await screen.findByRole('alert')
    expect(asked).toHaveBeenCalledTimes(2)
    server.resetHandlers()
    state.feed = [item()]
    live.send('reset', {})
    expect(await screen.findByText('Linha azul reaberta')).toBeInTheDocument()
  })
})

describe('a notification that a push led to', () => {
  it('is marked as opened where it stands', async () => {
    state.feed = [item({ id: 'n1' }), item({ id: 'n2' })]
    renderApp('/feed?notification=n2')
    await waitFor(() =>
      expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/n2/events', body: { type: 'opened' } }),
    )
    expect(cards()).toHaveLength(2)
  })

  it('is shown above the list when it is not in it yet', async () => {
    state.feed = [...Array.from({ length: 10 }, () => item()), item({ id: 'n9', title: 'Mais antiga' })]
    renderApp('/feed?notification=n9')
    const opened = await screen.findByRole('region', { name: 'A notificação que abriu' })
    expect(within(opened).getByText('Mais antiga')).toBeInTheDocument()
    await waitFor(() =>
      expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/n9/events', body: { type: 'opened' } }),
    )
    expect(within(opened).queryByText(/Não lida/)).not.toBeInTheDocument()
  })

  it('shows its changes, and disappears when it is withdrawn', async () => {
    state.feed = [...Array.from({ length: 10 }, () => item()), item({ id: 'n9', title: 'Mais antiga' })]
    renderApp('/feed?notification=n9')
    const opened = await screen.findByRole('region', { name: 'A notificação que abriu' })
    live.send('corrected', { ...state.feed[10]!, title: 'Corrigida' })
    expect(await within(opened).findByText('Corrigida')).toBeInTheDocument()
    live.send('withdrawn', { id: 'n9', channelId: metro.id })
    await waitFor(() => expect(opened).not.toBeInTheDocument())
    expect(screen.getByText(/A notificação que abriu já não está aqui/)).toBeInTheDocument()
  })

  it.each([404, 422])('is shown as gone when it does not exist (%i), without retries', async (status) => {
    state.feed = [item()]
    const asked = vi.fn(() => problem(status))
    server.use(http.get(at('/subscribers/notifications/gone'), asked))
    const { queryClient } = renderApp('/feed?notification=gone')
    expect(await screen.findByText(/A notificação que abriu já não está aqui/)).toBeInTheDocument()
    expect(screen.getByText('Linha azul reaberta')).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'A notificação que abriu' })).not.toBeInTheDocument()
    expect(queryClient.getQueryState(openedQuery('gone').queryKey)).toMatchObject({ status: 'success' })
  })

  it('is fetched again after a failure, like all other data', async () => {
    state.feed = [...Array.from({ length: 10 }, () => item()), item({ id: 'n9', title: 'Mais antiga' })]
    server.use(http.get(at('/subscribers/notifications/n9'), () => problem(500), { once: true }))
    const { queryClient } = renderApp('/feed?notification=n9')
    queryClient.setDefaultOptions({ queries: { retry: 1, retryDelay: 0 } })
    expect(await screen.findByText('Mais antiga')).toBeInTheDocument()
  })

  it('shows the error and retries', async () => {
    state.feed = [...Array.from({ length: 10 }, () => item()), item({ id: 'n9', title: 'Mais antiga' })]
    server.use(http.get(at('/subscribers/notifications/n9'), () => problem(500, 'Algo falhou no servidor.')))
    const { user } = renderApp('/feed?notification=n9')
    expect(await screen.findByRole('alert')).toHaveTextContent('Algo falhou no servidor.')
    expect(cards()).toHaveLength(10)
    server.resetHandlers()
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByText('Mais antiga')).toBeInTheDocument()
  })
})

it('a session that ends takes the visitor to sign in, and back here after', async () => {
  state.feed = [item()]
  const { user, history } = renderApp('/feed')
  await screen.findByText('Linha azul reaberta')
  state.subscriber = undefined
  server.use(http.post(at('/subscribers/notifications/:id/events'), () => problem(401)))
  await user.click(screen.getByRole('button', { name: /Linha azul reaberta/ }))
  expect(await screen.findByRole('heading', { name: 'Entrar no Sininho' })).toBeInTheDocument()
  expect(history.location.search).toBe('?redirect=%2Ffeed')
})

it('an offline action fails and says so', async () => {
  state.feed = [item({ id: 'n1' })]
  server.use(http.post(at('/subscribers/notifications/n1/events'), () => HttpResponse.error()))
  const { user } = renderApp('/feed')
  await user.click(await screen.findByRole('button', { name: /Linha azul reaberta/ }))
  const toast = await screen.findByText('Algo Correu mal!')
  expect(toast.closest('[role=alert]')).toHaveTextContent('Não foi possível chegar ao servidor')
})
