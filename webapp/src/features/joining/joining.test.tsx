import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { keptInvitation } from '../../lib/joining'
import { channel, channelInvitation, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const link = '/join#sni_live_ana'
const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const answers = () => actions.filter(({ call }) => call === 'POST /channel-invitations/accept').map(({ body }) => body)

beforeEach(() => {
  const metro = channel({ name: 'Turno da noite', description: 'Só para a equipa.', visibility: 'private' })
  state.channels = [metro]
  state.channelInvitation = channelInvitation(metro)
})

it('a visitor sees what the link leads to, signs in, comes back and joins', async () => {
  const visit = renderApp(link)
  await title('Turno da noite')
  expect(visit.history.location.href).toBe('/join')
  expect(screen.getByText('Convite para um canal privado, de Metro')).toBeInTheDocument()
  expect(screen.getByText('Só para a equipa.')).toBeInTheDocument()
  expect(screen.getByText(/^Se entrar, a equipa de Metro vê o seu nome\./)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Entrar no canal' })).not.toBeInTheDocument()
  await visit.user.click(screen.getByRole('link', { name: 'Entrar no Sininho' }))
  await waitFor(() => expect(visit.history.location.href).toBe('/login?redirect=%2Fjoin'))
  visit.unmount()

  state.subscriber = subscriber()
  const { user, history } = renderApp('/join')
  expect(await screen.findByText('Está no Sininho como Ana Marques.')).toBeInTheDocument()
  expect(answers()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Entrar no canal' }))
  await waitFor(() => expect(history.location.pathname).toBe('/channels/metro/linhas'))
  expect(await screen.findByRole('button', { name: 'Sino de Turno da noite: Tocar sempre' })).toBeInTheDocument()
  expect(answers()).toEqual([{ secret: 'sni_live_ana' }])
  expect(keptInvitation()).toBeUndefined()
})

it('finds the channel after joining where it did not exist before', async () => {
  state.subscriber = subscriber()
  const { channels } = state
  state.channels = []
  const { user, router } = renderApp('/channels/metro/linhas')
  await screen.findByText('Este canal não existe')
  state.channels = channels
  await router.navigate({ to: '/join', hash: 'sni_live_ana' })
  await user.click(await screen.findByRole('button', { name: 'Entrar no canal' }))
  expect(await screen.findByRole('button', { name: /^A seguir Turno da noite/ })).toBeInTheDocument()
})

describe('with approval', () => {
  beforeEach(() => {
    state.subscriber = subscriber()
    state.channelInvitation!.approval = true
  })

  it('asks to join, and waits', async () => {
    const { user, unmount } = renderApp(link)
    expect(await screen.findByText(/^Se pedir para entrar, a equipa de Metro vê o seu nome\./)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Pedir para entrar' }))
    const waiting = await screen.findByText('À espera de aprovação')
    expect(waiting.closest('[role=status]')).toHaveTextContent('O seu pedido já está com a equipa de Metro.')
    expect(await title('Turno da noite')).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Pedir para entrar' })).not.toBeInTheDocument()
    unmount()
    renderApp('/join')
    expect(await screen.findByText('À espera de aprovação')).toBeInTheDocument()
  })

  it('leads to the channel once approved', async () => {
    state.channelInvitation!.state = 'member'
    renderApp(link)
    expect(await screen.findByText('Já é membro deste canal.')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Abrir o canal' })).toHaveAttribute('href', '/channels/metro/linhas')
  })
})

describe('an invitation that leads nowhere', () => {
  it.each([
    ['has ended', '/join#sni_live_rui'],
    ['has lost its secret', '/join'],
  ])('that %s says whom to ask', async (_why, path) => {
    renderApp(path)
    await title('Este convite já não serve')
    expect(screen.getByRole('alert')).toHaveTextContent('Peça um convite novo a quem lho enviou.')
    expect(screen.getByRole('link', { name: 'Ver todos os canais' })).toHaveAttribute('href', '/channels')
  })

  it('says so when it ends before it is answered', async () => {
    state.subscriber = subscriber()
    const { user } = renderApp(link)
    const enter = await screen.findByRole('button', { name: 'Entrar no canal' })
    state.channelInvitation = undefined
    await user.click(enter)
    await title('Este convite já não serve')
  })
})

it('reports what the server refuses, and stays', async () => {
  state.subscriber = subscriber()
  server.use(http.post(at('/channel-invitations/accept'), () => problem(409, 'Já segue canais demais.', 'limit')))
  const { user, history } = renderApp(link)
  await user.click(await screen.findByRole('button', { name: 'Entrar no canal' }))
  expect(await screen.findByText('Já segue canais demais.')).toBeInTheDocument()
  expect(history.location.pathname).toBe('/join')
})

it('reports a failure and tries again', async () => {
  server.use(http.post(at('/channel-invitations/show'), () => problem(500, 'Avaria.')))
  const { user } = renderApp(link)
  expect(await screen.findByRole('alert')).toHaveTextContent('Avaria.')
  server.resetHandlers()
  await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  await title('Turno da noite')
})

it('leaves the invitation to nobody who uses the browser after a sign-out', async () => {
  state.subscriber = subscriber()
  const { user, router } = renderApp(link)
  await title('Turno da noite')
  await router.navigate({ to: '/settings' })
  await user.click(await screen.findByRole('button', { name: 'Sair' }))
  await waitFor(() => expect(keptInvitation()).toBeUndefined())
})
