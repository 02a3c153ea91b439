import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { cards, followMetro, item, listening, metro } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { at, live, problem, server, state } from '../../testing/server'

beforeEach(followMetro)

describe('live arrivals', () => {
  it('appear at the top, once', async () => {
    state.feed = [item({ title: 'Antes' })]
    renderApp('/feed')
    await screen.findByText('Antes')
    await listening()
    const arrived = item({ title: 'Agora mesmo' })
    live.send('notification', arrived, live.send('notification', arrived))
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
    live.send('notification', item({ title: 'Primeira' }))
    await screen.findByRole('button', { name: '1 nova notificação' })
    live.send('notification', item({ title: 'Segunda' }))
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

  it('are announced on other screens, as the bell says', async () => {
    renderApp('/channels')
    await screen.findByRole('heading', { level: 1, name: 'Canais' })
    await listening()
    live.send('notification', item({ title: 'Toca', body: 'Texto' }))
    const toast = (await screen.findByText('Toca')).closest('[role=status]') as HTMLElement
    expect(toast).toHaveTextContent(`${metro.name} · Texto`)
    expect(within(toast).getByRole('link', { name: 'Abrir' })).toHaveAttribute(
      'href',
      expect.stringContaining('/feed?notification='),
    )
  })
})

/** Lets the feed be answered by hand from now on, but not what is important of it. */
function heldFeed() {
  const answers: ((response: Response) => void)[] = []
  const asked = vi.fn(() => new Promise<Response>((resolve) => answers.push(resolve)))
  const isList = (request: Request) => !new URL(request.url).searchParams.has('important')
  server.use(http.get(at('/subscribers/notifications'), ({ request }) => (isList(request) ? asked() : undefined)))
  const fail = () => answers.shift()!(problem(500, 'Algo falhou no servidor.'))
  return { asked, fail, answer: (body: object) => answers.shift()!(HttpResponse.json(body)) }
}

it('a notification that arrives while the feed is fetched again is not lost', async () => {
  renderApp('/feed')
  await screen.findByText('Ainda não há notificações')
  await listening()
  const { asked, answer } = heldFeed()
  live.send('reset', {})
  await waitFor(() => expect(asked).toHaveBeenCalledOnce())
  live.send('notification', item({ title: 'Entretanto' }))
  await screen.findByText('Entretanto')
  state.feed = [item({ title: 'Entretanto' })]
  server.resetHandlers()
  answer({ data: [], meta: { total: 0 } })
  expect(await screen.findByRole('button', { name: /Entretanto/ })).toBeInTheDocument()
})

describe('a feed that fails', () => {
  it('is not tried again beyond its tries when something arrives meanwhile', async () => {
    const { asked, fail } = heldFeed()
    renderApp('/feed')
    await waitFor(() => expect(asked).toHaveBeenCalledOnce())
    fail()
    await screen.findByRole('alert')
    await listening()
    live.send('reset', {})
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2))
    live.send('notification', item())
    fail()
    expect(await screen.findByRole('alert')).toHaveTextContent('Algo falhou no servidor.')
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is fetched again by each reset, once', async () => {
    const { asked, fail } = heldFeed()
    renderApp('/feed')
    await waitFor(() => expect(asked).toHaveBeenCalledOnce())
    fail()
    await screen.findByRole('alert')
    await listening()
    live.send('reset', {})
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2))
    fail()
    await screen.findByRole('alert')
    expect(asked).toHaveBeenCalledTimes(2)
    server.resetHandlers()
    state.feed = [item()]
    live.send('reset', {})
    expect(await screen.findByText('Linha azul reaberta')).toBeInTheDocument()
  })
})
