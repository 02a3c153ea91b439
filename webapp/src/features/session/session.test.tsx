import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'
import { env } from '../../env'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const settings = { ...env() }
afterEach(() => void Object.assign(env(), settings))

describe('the guard', () => {
  it.each(['/feed', '/onboarding', '/settings', '/feed?channel=metro%2Flinhas'])(
    'has a visitor of %s sign in, and remembers where to go',
    async (path) => {
      const { history } = renderApp(path)
      await screen.findByRole('heading', { level: 1, name: 'Entrar no Sininho' })
      expect(history.location.pathname).toBe('/login')
      expect(new URLSearchParams(history.location.search).get('redirect')).toBe(path)
    },
  )
})

describe('signing in', () => {
  it('leads to Google, and by way of this page back to where one was going', async () => {
    renderApp('/login?redirect=/settings')
    const link = await screen.findByRole('link', { name: 'Continuar com o Google' })
    const url = new URL(link.getAttribute('href')!, 'http://localhost:8080')
    expect(url.pathname).toBe('/api/v1/auth/google')
    expect(url.searchParams.get('redirect')).toBe('/login?redirect=%2Fsettings')
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'never goes to %s',
    async (target) => {
      renderApp(`/login?redirect=${encodeURIComponent(target)}`)
      const link = await screen.findByRole('link', { name: 'Continuar com o Google' })
      expect(link.getAttribute('href')).not.toContain('evil')
      expect(link.getAttribute('href')).not.toContain('javascript')
    },
  )

  it('says when it failed', async () => {
    renderApp('/login?error=access_denied')
    expect(await screen.findByRole('alert')).toHaveTextContent('Não foi possível entrar. Tente novamente.')
  })

  it.each([
    ['unverified', /não diz que este endereço de e-mail é seu.*diga a quem gere o Sininho que falta «email_verified»/],
    ['no_email', /não nos deu um endereço de e-mail.*diga a quem gere o Sininho que falta «email»/],
  ])('says what to do when the provider says too little: %s', async (error, text) => {
    env().SUPPORT_URL = 'mailto:ajuda@example.com'
    renderApp(`/login?error=${error}`)
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    expect(screen.getByRole('link', { name: 'Falar com quem gere o Sininho' })).toHaveAttribute(
      'href',
      'mailto:ajuda@example.com',
    )
  })

  it('by an invitation says so, and takes it along', async () => {
    renderApp('/login?invitation=swi_ana&redirect=/channels')
    expect(await screen.findByText(/^Tem um convite\./)).toBeInTheDocument()
    const link = screen.getByRole('link', { name: 'Continuar com o Google' })
    const { searchParams } = new URL(link.getAttribute('href')!, 'http://localhost:8080')
    expect(searchParams.get('invitation')).toBe('swi_ana')
    expect(searchParams.get('redirect')).toBe('/login?redirect=%2Fchannels')
  })

  it('refuses uninvited people, and leads to the waiting list', async () => {
    env().SIGN_UP = 'invitation'
    renderApp('/login?error=uninvited')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Por agora, o Sininho é só por convite, e esta conta não tem um que seja válido.',
    )
    expect(screen.getByRole('link', { name: 'Ir para a lista de espera' })).toHaveAttribute('href', '/#lista-de-espera')
  })

  it('mentions the waiting list only where it exists and is needed', async () => {
    const list = () => screen.queryByRole('link', { name: 'Ir para a lista de espera' })
    env().SIGN_UP = 'invitation'
    const { unmount } = renderApp('/login?invitation=swi_ana')
    await screen.findByRole('link', { name: 'Continuar com o Google' })
    expect(list()).not.toBeInTheDocument()
    unmount()
    env().WAITLIST = 'closed'
    renderApp('/login')
    await screen.findByRole('link', { name: 'Continuar com o Google' })
    expect(list()).not.toBeInTheDocument()
  })

  it('shows that Google is being opened', async () => {
    const { user } = renderApp('/login')
    const link = await screen.findByRole('link', { name: 'Continuar com o Google' })
    link.addEventListener('click', (event) => event.preventDefault())
    await user.click(link)
    expect(screen.getByRole('link', { name: 'A abrir Google…' })).toBeInTheDocument()
  })

  it('leads to the onboarding the first time, which keeps the way', async () => {
    state.subscriber = subscriber({ onboarded: false })
    const { history } = renderApp('/login?redirect=/settings')
    await screen.findByRole('heading', { level: 1, name: 'O que lhe interessa?' })
    expect(history.location.pathname + history.location.search).toBe('/onboarding?redirect=%2Fsettings')
  })

  it('redirects signed-in people at once', async () => {
    state.subscriber = subscriber()
    renderApp('/login?redirect=/settings')
    expect(await screen.findByRole('heading', { level: 1, name: 'Preferências' })).toBeInTheDocument()
  })

  it.each(['%09/evil.example', '%0A/evil.example', '%0D/evil.example', '%09%5Cevil.example'])(
    'leads who is signed in already to the feed rather than to /%s',
    async (target) => {
      state.subscriber = subscriber()
      renderApp(`/login?redirect=/${target}`)
      expect(await screen.findByRole('heading', { level: 1, name: 'Notificações' })).toBeInTheDocument()
    },
  )
})

describe('the settings', () => {
  it('show the profile and let one sign out', async () => {
    state.subscriber = subscriber()
    const { user, history } = renderApp('/settings')
    expect(await screen.findByText('ana@example.com')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Sair' }))
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Siga o que importa. Receba na hora.' }),
    ).toBeInTheDocument()
    expect(history.location.pathname).toBe('/')
    expect(actions).toContainEqual({ call: 'DELETE /auth', body: undefined })
    // the first screen has another one further down
    const header = () => within(screen.getByRole('navigation', { name: 'Principal' }))
    await waitFor(() => expect(header().getByRole('link', { name: 'Entrar' })).toBeInTheDocument())
  })

  it('say when signing out fails', async () => {
    state.subscriber = subscriber()
    server.use(http.delete(at('/auth'), () => problem(500)))
    const { user } = renderApp('/settings')
    await user.click(await screen.findByRole('button', { name: 'Sair' }))
    expect(await screen.findByText('Não foi possível sair.')).toBeInTheDocument()
  })

  it('change the appearance', async () => {
    state.subscriber = subscriber()
    const { user } = renderApp('/settings/app')
    await user.click(await screen.findByRole('radio', { name: 'Escura' }))
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'))
  })
})
