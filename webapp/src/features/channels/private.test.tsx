import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { channel, notification, ref, subscriber, subscription } from '../../testing/factories'
import { listening } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, live, state } from '../../testing/server'

const id = '0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f'
const page = '/channels/metro/linhas'
const kept = () => localStorage.getItem('sininho.kept') ?? ''
const calls = () => actions.map(({ call }) => call)

beforeEach(() => {
  const turno = channel({ name: 'Turno da noite', visibility: 'private', following: true })
  const open = channel({ slug: 'aberto', name: 'Aberto', following: true })
  state.subscriber = subscriber()
  state.channels = [turno, open]
  state.subscriptions = [subscription(ref(turno)), subscription(ref(open))]
  state.feed = [
    notification({ id, title: 'Troca de turno', channel: ref(turno) }),
    notification({ title: 'Para todos', channel: ref(open) }),
  ]
})

/** Makes the person a member no more, as the channel's publisher does. */
function remove() {
  state.channels.shift()
  state.subscriptions.shift()
  state.feed.shift()
}

it('is marked on its page and among the followed channels', async () => {
  const { unmount } = renderApp(page)
  expect(await screen.findByText('Privado')).toBeInTheDocument()
  unmount()
  renderApp('/feed')
  const channels = within(await screen.findByRole('navigation', { name: 'Canais que segue' }))
  expect(await channels.findByRole('link', { name: /^Turno da noite\s*Privado$/ })).toBeInTheDocument()
  expect(channels.getAllByText('Privado')).toHaveLength(1)
})

it('is shared with members alone, as are its notifications', async () => {
  const { user, router } = renderApp(page)
  await user.click(await screen.findByRole('button', { name: 'Partilhar com membros' }))
  expect(await screen.findByText('Link copiado. Só os membros do canal o podem abrir.')).toBeInTheDocument()
  await router.navigate({ href: `${page}/${id}` })
  expect(await screen.findByRole('heading', { level: 1, name: 'Troca de turno' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Partilhar com membros' })).toBeInTheDocument()
})

it('cannot be followed without an invitation by those who publish it', async () => {
  state.channels[0]!.following = false
  state.subscriptions.shift()
  renderApp(page)
  expect(await screen.findByText('Privado')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /eguir/ })).not.toBeInTheDocument()
})

it('asks before it is left, for good', async () => {
  const { user, history } = renderApp(page)
  const leave = () => screen.findByRole('button', { name: 'A seguir Turno da noite: deixar de seguir' })
  await user.click(await leave())
  const question = () => screen.findByRole('dialog', { name: 'Deixar de seguir «Turno da noite»?' })
  expect(await question()).toHaveTextContent('Para voltar, precisa de um novo convite.')
  await user.click(within(await question()).getByRole('button', { name: 'Cancelar' }))
  expect(calls().filter((call) => call.endsWith('unsubscribe'))).toEqual([])
  await user.click(await leave())
  await user.click(within(await question()).getByRole('button', { name: 'Deixar de seguir' }))
  expect(await screen.findByText('Deixou de seguir o canal.')).toBeInTheDocument()
  await waitFor(() => expect(history.location.pathname).toBe('/feed'))
  expect(screen.queryByRole('button', { name: 'Anular' })).not.toBeInTheDocument()
  expect(calls()).toContain(`POST /subscribers/channels/${state.channels[0]!.id}/unsubscribe`)
})

describe('somebody who was removed', () => {
  it('loses its open page, and what was kept of it', async () => {
    const { router, queryClient } = renderApp('/feed')
    await screen.findByText('Troca de turno')
    await router.navigate({ href: page })
    await screen.findByText('Troca de turno')
    await waitFor(() => expect(kept()).toContain('Troca de turno'))
    await listening()
    remove()
    live.send('reset', {})
    expect(await screen.findByText('Este canal não existe')).toBeInTheDocument()
    expect(screen.queryByText('Turno da noite')).not.toBeInTheDocument()
    await waitFor(() => expect(kept()).not.toMatch(/Turno da noite|Troca de turno/))
    await router.navigate({ to: '/feed' })
    expect(await screen.findByText('Para todos')).toBeInTheDocument()
    expect(JSON.stringify(queryClient.getQueriesData({}))).not.toMatch(/Turno da noite|Troca de turno/)
  })

  it('loses what was open beside the list before', async () => {
    const { router, queryClient } = renderApp(`/feed?notification=${id}`)
    await screen.findAllByText('Troca de turno')
    await router.navigate({ href: '/channels/metro/aberto' })
    await screen.findByText('Para todos')
    await listening()
    remove()
    live.send('reset', {})
    await waitFor(() => expect(JSON.stringify(queryClient.getQueriesData({}))).not.toMatch(/Troca de turno/))
    await waitFor(() => expect(kept()).toContain('Para todos'))
    expect(kept()).not.toMatch(/Troca de turno/)
  })

  it('loses its open notification', async () => {
    renderApp(`${page}/${id}`)
    await screen.findByRole('heading', { level: 1, name: 'Troca de turno' })
    await listening()
    remove()
    live.send('reset', {})
    await waitFor(() => expect(screen.queryByText('Troca de turno')).not.toBeInTheDocument())
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Not Found')
  })

  it('loses at the next visit what was kept until then', async () => {
    const first = renderApp('/feed')
    await screen.findByText('Troca de turno')
    await first.router.navigate({ href: page })
    await screen.findByText('Troca de turno')
    await waitFor(() => expect(kept()).toContain(`"detail","metro","linhas"`))
    first.unmount()
    remove()
    renderApp('/feed')
    await screen.findByText('Para todos')
    await waitFor(() => expect(kept()).not.toMatch(/Turno da noite|Troca de turno/))
  })

  it('does not have it back from a tab that is closed later', async () => {
    renderApp('/feed')
    await screen.findByText('Troca de turno')
    await waitFor(() => expect(kept()).toContain('Troca de turno'))
    localStorage.setItem('sininho.kept', 'by another tab')
    dispatchEvent(new Event('pagehide'))
    expect(kept()).toBe('by another tab')
  })

  it('keeps the other channels', async () => {
    const { queryClient } = renderApp('/channels/metro/aberto')
    await screen.findByText('Para todos')
    await listening()
    const before = queryClient.getQueryState(['channels', 'detail', 'metro', 'aberto'])?.dataUpdateCount
    remove()
    live.send('reset', {})
    await waitFor(() => expect(JSON.stringify(queryClient.getQueryData(['subscriptions']))).not.toContain('Turno'))
    expect(queryClient.getQueryState(['channels', 'detail', 'metro', 'aberto'])?.dataUpdateCount).toBe(before)
  })
})
