import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openedQuery } from '../../data/notifications'
import { cards, followMetro, item, metro } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server, state } from '../../testing/server'

beforeEach(followMetro)

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
