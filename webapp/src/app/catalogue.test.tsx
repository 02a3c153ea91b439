import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { env } from '../env'
import { channel, subscriber } from '../testing/factories'
import { renderApp } from '../testing/renderApp'
import { at, problem, server, state } from '../testing/server'

/**
 * The specification's error catalogue through the whole app, one test per row. Two rows are in main.test.tsx: the
 * missing root element, and the missing or invalid configuration. ui/toasts.test.tsx tests how long toasts stay.
 */

const follow = async () => {
  state.subscriber = subscriber()
  state.channels = [channel()]
  const { user } = renderApp('/channels')
  await user.click(await screen.findByRole('button', { name: 'Seguir Metro de Lisboa' }))
}
const sendDemo = async () => {
  const { user } = renderApp('/demo')
  await user.click(await screen.findByRole('button', { name: 'Enviar' }))
}
const subscribing = (response: () => HttpResponse<never> | ReturnType<typeof problem>) =>
  server.use(http.post(at('/subscribers/channels/:id/subscribe'), response))

const look = (toast: HTMLElement) => ({
  color: toast.style.getPropertyValue('--notification-color').match(/teal|red/)?.[0],
  place: toast.closest('[data-position]')?.getAttribute('data-position'),
  title: toast.querySelector('.mantine-Notification-title')?.textContent,
  message: toast.querySelector('.mantine-Notification-description')?.textContent,
  icon: [...(toast.querySelector('.mantine-Notification-icon svg')?.classList ?? [])].at(-1),
})

describe('the error catalogue', () => {
  it('failed action, network error: red toast titled with the error’s own message and a server-off icon', async () => {
    subscribing(() => HttpResponse.error())
    await follow()
    expect(look(await screen.findByRole('alert'))).toEqual({
      color: 'red',
      place: 'top-center',
      title: 'Algo Correu mal!',
      message: 'Não foi possível chegar ao servidor. Verifique a sua ligação e tente novamente.',
      icon: 'tabler-icon-server-off',
    })
  })

  it('failed action, not network, action defines its own error message: red toast with that message', async () => {
    subscribing(() => problem(500, 'A base de dados não responde.'))
    await follow()
    expect(look(await screen.findByRole('alert'))).toEqual({
      color: 'red',
      place: 'top-center',
      message: 'Não foi possível seguir o canal.',
    })
  })

  it('failed action otherwise: red toast with the error’s message', async () => {
    server.use(http.post(at('/webhooks/channels/demo-address'), () => problem(429, 'Envie menos depressa.')))
    await sendDemo()
    expect(look(await screen.findByRole('alert'))).toEqual({
      color: 'red',
      place: 'top-center',
      message: 'Envie menos depressa.',
    })
  })

  it.each([
    ['an empty 500', () => new HttpResponse(null, { status: 500 }), /^Algo falhou no servidor/],
    [
      'a page of HTML with 502',
      () => HttpResponse.html('<h1>Bad Gateway</h1>', { status: 502 }),
      /^O servidor não está/,
    ],
    ['{} with 503', () => HttpResponse.json({}, { status: 503 }), /^O servidor não está disponível/],
    [
      'a title of somebody else’s',
      () => HttpResponse.json({ title: 'Oops' }, { status: 429 }),
      /^Foram muitos pedidos/,
    ],
    ['an empty 404', () => new HttpResponse(null, { status: 404 }), /^O que procura não existe/],
    ['text with 400', () => HttpResponse.text('Bad Request', { status: 400 }), /^O servidor não aceitou o pedido/],
  ])(
    'failed action otherwise, without a text from the server: %s is reported in Portuguese',
    async (_what, response, text) => {
      server.use(http.post(at('/webhooks/channels/demo-address'), response))
      await sendDemo()
      expect(look(await screen.findByRole('alert'))).toEqual({
        color: 'red',
        place: 'top-center',
        message: expect.stringMatching(text),
      })
    },
  )

  it('successful action with a success message: teal toast titled “Tudo certo!” with a check icon', async () => {
    await sendDemo()
    expect(look((await screen.findByText('Tudo certo!')).closest<HTMLElement>('[role=status]')!)).toEqual({
      color: 'teal',
      place: 'top-center',
      title: 'Tudo certo!',
      message: 'Enviada. Veja-a chegar.',
      icon: 'tabler-icon-check',
    })
  })

  describe('unhandled rendering error', () => {
    beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

    const toggles = async (user: ReturnType<typeof renderApp>['user']) => {
      const panel = within(screen.getByRole('alert'))
      expect(panel.queryByText(/Cannot/)).not.toBeInTheDocument()
      await user.click(panel.getByRole('button', { name: 'Show Error', expanded: false }))
      expect(panel.getByText(/Cannot/)).toBeInTheDocument()
      await user.click(panel.getByRole('button', { name: 'Hide Error', expanded: true }))
      expect(panel.queryByText(/Cannot/)).not.toBeInTheDocument()
    }

    it('in a screen: heading “Something went wrong!” within the shell, with a Show Error / Hide Error toggle', async () => {
      state.channels = [channel({ category: undefined })]
      const { user } = renderApp('/channels/metro/linhas')
      expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong!' })).toBeInTheDocument()
      expect(screen.getByRole('navigation', { name: 'Principal' })).toBeInTheDocument()
      await toggles(user)
    })

    it('in the shell: heading “Something went wrong” in its place, with a Show Error / Hide Error toggle', async () => {
      state.subscriber = subscriber()
      state.subscriptions = [null as never]
      const { user } = renderApp('/settings')
      expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong' })).toBeInTheDocument()
      expect(screen.queryByRole('navigation', { name: 'Principal' })).not.toBeInTheDocument()
      await toggles(user)
    })

    it('in a screen, tried again: its data is fetched again', async () => {
      state.channels = [channel({ category: undefined })]
      const { user } = renderApp('/channels/metro/linhas')
      const again = await screen.findByRole('button', { name: 'Tentar novamente' })
      state.channels = [channel()]
      await user.click(again)
      expect(await screen.findByRole('heading', { level: 1, name: 'Metro de Lisboa' })).toBeInTheDocument()
    })

    it('in the shell, tried again: its data is fetched again', async () => {
      state.subscriber = subscriber()
      state.subscriptions = [null as never]
      const { user } = renderApp('/settings')
      await screen.findByRole('heading', { level: 1, name: 'Something went wrong' })
      state.subscriptions = []
      await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
      expect(await screen.findByRole('heading', { level: 1, name: 'Preferências' })).toBeInTheDocument()
    })

    it('in both a screen and the shell, tried again: their shared data is fetched again', async () => {
      const broken = http.get(at('/auth'), () => HttpResponse.json({ caller: 'visitor' }))
      server.use(broken)
      const { user } = renderApp('/login')
      const again = await screen.findByRole('button', { name: 'Tentar novamente' })
      server.resetHandlers()
      await user.click(again)
      expect(await screen.findByRole('heading', { level: 1, name: 'Entrar no Sininho' })).toBeInTheDocument()
    })
  })

  it.each([
    '/nada',
    '/channels/a/b/c',
    '/channels%2Fa',
    '/feed/x',
    '/feed/x/',
    '/feed%2Fx',
    '/login/x',
    '/waitlist',
    '/onboarding/x',
    '/settings/zzz',
    '/settings/Devices',
    '/settings/devices/x',
    '/admin/zzz',
    '/admin/reports/1',
  ])('unknown route: %s is the not-found screen', async (path) => {
    const support = (env().SUPPORT_URL = 'mailto:ajuda@example.com')
    const { user, history } = renderApp(path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Você Está Perdido??' })).toBeInTheDocument()
    expect(screen.getByText('404')).toBeInTheDocument()
    expect(screen.getByText(/não existe.*mal escrito ou a página mudou/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: /parece um erro, contacte o suporte/ })).toHaveAttribute('href', support)
    expect(screen.getByRole('link', { name: 'Ver todos os canais' })).toHaveAttribute('href', '/channels')
    await user.click(screen.getByRole('button', { name: 'Leve-me para casa' }))
    expect(await screen.findByRole('heading', { level: 1, name: /Siga o que importa/ })).toBeInTheDocument()
    expect(history.location.pathname).toBe('/')
  })

  it('a plain “Not Found” fallback also exists: where a screen finds nothing', async () => {
    server.use(http.get(at('/channels/metro/linhas/notifications/:id'), () => problem(404, 'Não existe.')))
    renderApp('/channels/metro/linhas/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f')
    expect(await screen.findByRole('heading', { level: 1, name: 'Not Found' })).toBeInTheDocument()
    expect(screen.queryByText('404')).not.toBeInTheDocument()
  })
})
