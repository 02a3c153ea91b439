import { screen, waitFor } from '@testing-library/react'
import { delay, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { channel, notification, ref, subscription } from '../../testing/factories'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

beforeEach(followMetro)

it('shows one channel from the address', async () => {
  const other = channel({ publisherSlug: 'tempo', slug: 'avisos', name: 'Tempo' })
  state.subscriptions.push(subscription(ref(other)))
  state.feed = [item({ title: 'Do metro' }), notification({ channel: ref(other), title: 'Do tempo' })]
  renderApp('/feed?channel=tempo/avisos')
  expect(await screen.findByRole('heading', { level: 1, name: 'Tempo' })).toBeInTheDocument()
  expect(await screen.findByText('Do tempo')).toBeInTheDocument()
  expect(screen.queryByText('Do metro')).not.toBeInTheDocument()
  expect(await screen.findByRole('link', { name: /Tempo/, current: 'page' })).toBeInTheDocument()
})

describe('an unfollowed channel', () => {
  const tempo = () => channel({ publisherSlug: 'tempo', slug: 'avisos', name: 'Tempo' })

  it('has its name, and the ways to its page and to follow it', async () => {
    state.channels = [tempo()]
    const { user } = renderApp('/feed?channel=tempo/avisos')
    expect(await screen.findByRole('heading', { level: 1, name: 'Tempo' })).toBeInTheDocument()
    expect(document.title).toBe('Tempo · Sininho')
    expect(await screen.findByText('Este canal ainda não publicou nada')).toBeInTheDocument()
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
