import { screen, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { cards, followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

const days = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString()

beforeEach(followMetro)

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

  it('that follows channels without a notification says so', async () => {
    renderApp('/feed')
    expect(await screen.findByText(/Os canais que segue ainda não publicaram nada/)).toBeInTheDocument()
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
