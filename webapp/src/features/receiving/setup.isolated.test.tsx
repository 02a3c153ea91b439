import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { channel, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

const metro = channel({ id: 'c-metro', name: 'Metro' })
const parish = channel({ id: 'c-parish', name: 'Paróquia', publisherSlug: 'paroquia', slug: 'avisos' })
const link = '/start?channels=metro/linhas,paroquia/avisos,nada/disto&text=large'
const isLarge = () => document.documentElement.hasAttribute('data-large')

beforeEach(() => {
  localStorage.clear()
  state.channels = [{ ...metro }, { ...parish }]
  state.signInMethods = [
    { kind: 'google', url: '/api/v1/auth/google' },
    { kind: 'anonymous', url: '/api/v1/auth/anonymous' },
  ]
})
afterEach(() => document.documentElement.removeAttribute('data-large'))

it('a link sets a device up with one tap: channels, and large text that stays', async () => {
  const { user, history } = renderApp(link)
  const button = await screen.findByRole('button', { name: 'Receber tudo' })
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['MMetro', 'PParóquia'])
  expect(isLarge()).toBe(true)
  expect(actions).toEqual([])
  await user.click(button)
  // the browser of the tests takes no pushes
  expect(await screen.findByText(/Este navegador não recebe notificações/)).toBeInTheDocument()
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Notificações' }))
  await waitFor(() => expect(history.location.pathname).toBe('/feed'))
  expect(actions.map(({ call }) => call)).toEqual([
    'POST /auth/anonymous',
    'POST /subscribers/channels/c-metro/subscribe',
    'POST /subscribers/channels/c-parish/subscribe',
  ])
  expect(isLarge()).toBe(true)
})

it('on an iPhone sees two steps, and the app on the home screen begins on the same', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)')
  const manifest = document.head.appendChild(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
  )
  const { user } = renderApp(link)
  await user.click(await screen.findByRole('button', { name: 'Receber tudo' }))
  expect(await screen.findByText('Escolha «Adicionar ao ecrã principal».')).toBeInTheDocument()
  expect(new URL(manifest.href).search).toBe('?channels=metro%2Flinhas%2Cparoquia%2Favisos%2Cnada%2Fdisto&text=large')
  expect(actions).toEqual([])
  manifest.remove()
  vi.restoreAllMocks()
})

it('a link to nothing says so, and leaves the size of the text', async () => {
  const { unmount } = renderApp('/start?channels=nada/disto&text=large')
  expect(await screen.findByText(/Este link não tem canais que existam/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Receber tudo' })).toBeNull()
  unmount()
  expect(isLarge()).toBe(false)
})

it('whoever may not follow without an account signs in, and comes back', async () => {
  state.signInMethods = [{ kind: 'google', url: '/api/v1/auth/google' }]
  renderApp('/start?channels=metro/linhas')
  expect(await screen.findByRole('link', { name: 'Receber tudo' })).toHaveAttribute(
    'href',
    expect.stringContaining('/login?redirect=%2Fstart%3Fchannels%3D'),
  )
})

it('the preferences make the link, of public channels alone', async () => {
  state.subscriber = subscriber()
  state.subscriptions = [subscription(ref(metro)), subscription({ ...ref(parish), private: true })]
  const { user } = renderApp('/settings/app')
  await user.click(await screen.findByRole('checkbox', { name: 'Metro' }))
  expect(screen.queryByRole('checkbox', { name: 'Paróquia' })).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Link' })).toHaveValue(
    `${location.origin}/start?channels=metro%2Flinhas&language=pt-PT&text=large`,
  )
})

it('large text is one switch', async () => {
  state.subscriber = subscriber()
  const { user } = renderApp('/settings/app')
  const own = await screen.findByRole('switch', { name: /^Texto grande Letras maiores/ })
  await user.click(own)
  expect(isLarge()).toBe(true)
  await user.click(own)
  expect(isLarge()).toBe(false)
})
