import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { notification, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server, state } from '../../testing/server'

const demonstration = { id: 'c-demo', publisherSlug: 'demo', slug: 'demonstracao', name: 'Demonstração' }

describe('the demonstration', () => {
  it('sends through the webhook and shows the arrival', async () => {
    const { user } = renderApp('/demo')
    const title = await screen.findByRole('textbox', { name: 'Título' })
    await user.clear(title)
    await user.type(title, 'Olá')
    await screen.findByText('Ao vivo')
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('Enviada. Veja-a chegar.')).toBeInTheDocument()
    expect(actions).toEqual([
      { call: 'POST /webhooks/channels/demo-address', body: { title: 'Olá', body: expect.any(String) as string } },
    ])
    live.send('notification', notification({ channel: demonstration, title: 'Olá' }))
    const arrivals = screen.getByRole('region', { name: 'A chegar ao canal' })
    expect(await within(arrivals).findByRole('button', { name: 'Olá' })).toBeInTheDocument()
  })

  it('marks the visitor’s own notifications among the arrivals', async () => {
    server.use(
      http.post(at('/webhooks/channels/demo-address'), () =>
        HttpResponse.json({ outcome: 'published', notificationId: 'n-own', duplicate: false }, { status: 202 }),
      ),
    )
    const { user } = renderApp('/demo')
    await screen.findByText('Ao vivo')
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    await screen.findByText('Tudo certo!')
    live.send('notification', notification({ id: 'n-other', channel: demonstration, title: 'De outro' }))
    live.send('notification', notification({ id: 'n-own', channel: demonstration, title: 'Minha' }))
    const card = (await screen.findByRole('button', { name: 'Minha' })).closest('article')!
    expect(within(card).getByText('A sua, que acabou de chegar')).toBeInTheDocument()
    expect(screen.getAllByText('A sua, que acabou de chegar')).toHaveLength(1)
  })

  it('sends as anyone would, without the session', async () => {
    const sent: RequestCredentials[] = []
    server.use(
      http.post(at('/webhooks/channels/demo-address'), ({ request }) => {
        sent.push(request.credentials)
        return HttpResponse.json({ outcome: 'published', notificationId: 'n-own', duplicate: false }, { status: 202 })
      }),
    )
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    await screen.findByText('Enviada. Veja-a chegar.')
    expect(sent).toEqual(['omit'])
  })

  it('sends the importance when it is given, and offers neither link nor image', async () => {
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('switch', { name: /^Importante/ }))
    expect(screen.getAllByRole('textbox')).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    await waitFor(() => expect(actions).toHaveLength(1))
    expect(actions[0]!.body).toMatchObject({ importance: 'important' })
  })

  it('shows the server’s faults at their fields', async () => {
    server.use(
      http.post(at('/webhooks/channels/demo-address'), () =>
        HttpResponse.json(
          {
            status: 422,
            title: 'x',
            code: 'invalid',
            errors: [{ pointer: '#/title', code: 'text', detail: 'tem um NUL' }],
          },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    const title = screen.getByRole('textbox', { name: 'Título' })
    await waitFor(() => expect(title).toHaveAccessibleDescription('Tem um NUL.'))
    await user.type(title, '!')
    expect(title).toBeValid()
    expect(screen.queryByText('Tem um NUL.')).not.toBeInTheDocument()
  })

  it('says how long to wait after too many messages, and sends none until then', async () => {
    let calls = 0
    server.use(
      http.post(at('/webhooks/channels/demo-address'), () => {
        calls++
        return HttpResponse.json(
          { status: 429, title: 'x', detail: 'Demasiados pedidos.', code: 'rate_limited' },
          { status: 429, headers: { 'Retry-After': '30' } },
        )
      }),
    )
    const { user } = renderApp('/demo')
    const send = await screen.findByRole('button', { name: 'Enviar' })
    await user.click(send)
    expect(
      await screen.findByText(/Enviou muitas seguidas. Pode voltar a enviar (à|às) \d\d:\d\d:\d\d/),
    ).toBeInTheDocument()
    expect(send).toHaveAttribute('aria-disabled', 'true')
    await user.click(send)
    expect(calls).toBe(1)
  })

  it('says that there is no connection', async () => {
    renderApp('/demo')
    await screen.findByText('Ao vivo')
    act(() => onlineManager.setOnline(false))
    expect(screen.getByText('Sem ligação. Pode enviar assim que ela voltar.')).toBeInTheDocument()
    expect(screen.getByText('Sem ligação')).toBeInTheDocument()
    act(() => onlineManager.setOnline(true))
  })

  it('begins with an example, and shows it as it will arrive while nothing has', async () => {
    const { user } = renderApp('/demo')
    expect(await screen.findByText('Ainda não chegou nada')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Autocarro' }))
    expect(screen.getByRole('button', { name: 'Autocarro' })).toHaveAttribute('aria-pressed', 'true')
    const title = screen.getByRole('textbox', { name: 'Título' })
    expect(title).toHaveValue('O 28 está atrasado')
    await user.type(title, ' hoje')
    const arrivals = screen.getByRole('region', { name: 'A chegar ao canal' })
    expect(within(arrivals).getByText('O 28 está atrasado hoje')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Autocarro' })).toHaveAttribute('aria-pressed', 'false')
  })

  it('asks for a title', async () => {
    const { user } = renderApp('/demo')
    await user.clear(await screen.findByRole('textbox', { name: 'Título' }))
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('Escreva um título.')).toBeInTheDocument()
    expect(actions).toEqual([])
  })

  it('shows the server’s message', async () => {
    server.use(
      http.post(at('/webhooks/channels/demo-address'), () => problem(429, 'Demasiados pedidos. Espere um minuto.')),
    )
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('Demasiados pedidos. Espere um minuto.')).toBeInTheDocument()
  })

  it('shows why nothing was published', async () => {
    server.use(
      http.post(at('/webhooks/channels/demo-address'), () =>
        HttpResponse.json({ outcome: 'skipped', detail: 'Só o que é urgente.', duplicate: false }, { status: 202 }),
      ),
    )
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('Só o que é urgente.')).toBeInTheDocument()
    expect(screen.queryByText('Enviada. Veja-a chegar.')).not.toBeInTheDocument()
  })

  it('reports that the server cannot be reached', async () => {
    server.use(http.post(at('/webhooks/channels/demo-address'), () => HttpResponse.error()))
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    await waitFor(() => expect(screen.getByText('Algo Correu mal!')).toBeInTheDocument())
  })
})

describe('the same call from a program', () => {
  it('shows the composed message, in tabs that the arrow keys change', async () => {
    const { user } = renderApp('/demo')
    const title = await screen.findByRole('textbox', { name: 'Título' })
    await user.clear(title)
    await user.type(title, "d'água")
    expect(screen.getByRole('region', { name: 'Código para curl' })).toHaveTextContent(String.raw`"title":"d'\''água"`)
    await user.click(screen.getByRole('tab', { name: 'curl', selected: true }))
    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole('tab', { name: 'Go', selected: true })).toHaveFocus()
    expect(screen.getByRole('region', { name: 'Código para Go' })).toHaveTextContent(`"title": "d'água"`)
    await user.keyboard('{End}')
    expect(screen.getByRole('region', { name: 'Código para Linha de comandos' })).toHaveTextContent(
      "export SININHO_URL='http://localhost:8080'",
    )
    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole('tab', { name: 'curl', selected: true })).toHaveFocus()
  })

  it('is copied whole', async () => {
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Copiar' }))
    expect(await screen.findByRole('button', { name: 'Copiado' })).toBeInTheDocument()
    expect(await navigator.clipboard.readText()).toBe(
      screen.getByRole('region', { name: 'Código para curl' }).textContent,
    )
  })
})

describe('as a real push', () => {
  it('takes a visitor to sign in, and back', async () => {
    renderApp('/demo')
    expect(await screen.findByRole('link', { name: 'Entrar para receber' })).toHaveAttribute(
      'href',
      '/login?redirect=%2Fdemo',
    )
  })

  it('offers to turn notifications on, and not to follow', async () => {
    state.subscriber = subscriber()
    renderApp('/demo')
    expect(await screen.findByText(/Este navegador não recebe notificações/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Seguir/ })).not.toBeInTheDocument()
  })
})
