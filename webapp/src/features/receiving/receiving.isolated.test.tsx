import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../lib/page'
import { anonymous, channel, device, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

vi.mock('../../lib/page', () => ({ openPage: vi.fn() }))

const metro = channel({ name: 'Metro' })
const page = '/channels/metro/linhas'
const calls = () => actions.map(({ call }) => call)

beforeEach(() => {
  vi.mocked(openPage).mockClear()
  vi.restoreAllMocks()
  localStorage.clear()
  state.channels = [{ ...metro }]
  state.signInMethods = [
    { kind: 'google', url: '/api/v1/auth/google' },
    { kind: 'email', url: '/api/v1/auth/email' },
    { kind: 'anonymous', url: '/api/v1/auth/anonymous' },
  ]
})

describe('a visitor on the page of a channel', () => {
  it('receives it without an account, by one button', async () => {
    const { user } = renderApp(page)
    await user.click(await screen.findByRole('button', { name: 'Receber Metro' }))
    await waitFor(() =>
      expect(calls()).toEqual(['POST /auth/anonymous', `POST /subscribers/channels/${metro.id}/subscribe`]),
    )
    // the browser of the tests takes no pushes
    expect(await screen.findByText(/Este navegador não recebe notificações/)).toBeInTheDocument()
  })

  it('signs in instead, and then follows it', async () => {
    const { user } = renderApp(page)
    expect(await screen.findByText(/Sem conta, só neste navegador/)).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Já tenho conta' }))
    expect(await screen.findByText('Para seguir «Metro» e receber o que publicar.')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /anonymous/ })).toBeNull()
  })

  it('follows by signing in where the installation lets nobody in without an account', async () => {
    state.signInMethods = [{ kind: 'google', url: '/api/v1/auth/google' }]
    renderApp(page)
    expect(await screen.findByRole('link', { name: 'Seguir Metro' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Receber Metro' })).toBeNull()
  })

  it('on an iPhone sees two steps, and the app on the home screen begins on the channel', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)')
    const link = document.head.appendChild(
      Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
    )
    const { user, unmount } = renderApp(page)
    await user.click(await screen.findByRole('button', { name: 'Receber Metro' }))
    const steps = within((await screen.findByText('No iPhone e no iPad são dois passos:')).parentElement!).getAllByRole(
      'listitem',
    )
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Toque em Partilhar, o quadrado com a seta para cima.',
      'Escolha «Adicionar ao ecrã principal».',
    ])
    expect(link.getAttribute('href')).toBe('/manifest.webmanifest?receive=metro/linhas')
    expect(calls()).toEqual([])
    unmount()
    expect(new URL(link.href).search).toBe('')
    link.remove()
  })

  it('who has asked for it in another browser has one tap left', async () => {
    renderApp(`${page}?receive=true`)
    expect(await screen.findByText(/Só falta um toque/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Receber Metro' })).toBeInTheDocument()
  })
})

describe('somebody without an account', () => {
  beforeEach(() => {
    state.subscriber = anonymous()
    state.channels = [{ ...metro, following: true }]
    state.subscriptions = [subscription(ref(metro))]
  })

  it('is told in the feed that it is here alone', async () => {
    renderApp('/feed')
    expect(await screen.findByText('O que segue está só neste navegador.')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Guardar na minha conta' })).toHaveAttribute(
      'href',
      '/login?redirect=%2Ffeed',
    )
  })

  it('has preferences without what only an account has', async () => {
    renderApp('/settings')
    expect(await screen.findByRole('link', { name: 'Guardar na minha conta' })).toBeInTheDocument()
    const sections = within(screen.getByRole('navigation', { name: 'Partes das preferências' })).getAllByRole('link')
    expect(sections.map(({ textContent }) => textContent).join()).not.toMatch(/Segurança|Publicar|Acesso/)
    expect(screen.queryByRole('button', { name: 'Sair' })).toBeNull()
  })

  it('needs an account for some pages', async () => {
    const { history } = renderApp('/settings/security')
    expect(await screen.findByRole('heading', { level: 1, name: 'Guardar na minha conta' })).toBeInTheDocument()
    expect(history.location.search).toBe('?redirect=%2Fsettings%2Fsecurity')
  })

  it('saves what they follow at a provider, by a request of this page', async () => {
    const { user } = renderApp('/login?redirect=/feed')
    expect(await screen.findByText(/passam para a conta em que entrar/)).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Continuar com o Google' }))
    await waitFor(() => expect(openPage).toHaveBeenCalledExactlyOnceWith('/login/code'))
    expect(actions).toEqual([{ call: 'POST /subscribers/identities', body: { kind: 'google', redirect: '/feed' } }])
  })

  it('saves what they follow by an emailed code', async () => {
    const { user, history } = renderApp('/login')
    await user.type(await screen.findByLabelText('E-mail'), 'ana@example.com')
    await user.click(screen.getByRole('button', { name: 'Receber um código' }))
    await waitFor(() => expect(history.location.pathname).toBe('/login/code'))
    expect(actions[0]?.body).toEqual({ kind: 'email', email: 'ana@example.com', redirect: '/feed' })
  })

  it.each([
    ['unsaved', 'Este navegador já segue canais sem conta. Entre mais uma vez, e passam para a sua conta.'],
    ['full', 'A sua conta ficaria com mais canais ou dispositivos do que pode ter. Retire alguns e tente de novo.'],
  ])('is told why it was not saved: %s', async (error, text) => {
    renderApp(`/login?error=${error}`)
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
  })
})

describe('the first steps', () => {
  it('come later for whoever came for one channel', async () => {
    state.subscriber = subscriber({ onboarded: false })
    const { history } = renderApp(`/login?redirect=${page}`)
    expect(await screen.findByRole('heading', { level: 1, name: 'Metro' })).toBeInTheDocument()
    expect(history.location.pathname).toBe(page)
  })

  it('are offered in the feed once no push is to be waited for', async () => {
    state.subscriber = subscriber({ onboarded: false })
    state.devices = [device()]
    renderApp('/feed')
    expect(await screen.findByRole('link', { name: 'Ver mais canais de que pode gostar' })).toBeInTheDocument()
  })
})
