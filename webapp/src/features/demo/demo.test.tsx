import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { notification } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server } from '../../testing/server'
import { curl } from './Command'

const novidades = { id: 'c-demo', publisherSlug: 'demo', slug: 'novidades', name: 'Novidades' }

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
    live.send('notification', notification({ channel: novidades, title: 'Olá' }))
    const arrivals = screen.getByRole('region', { name: 'A chegar ao canal' })
    expect(await within(arrivals).findByRole('button', { name: 'Olá' })).toBeInTheDocument()
  })

  it('asks for a title', async () => {
    const { user } = renderApp('/demo')
    await user.clear(await screen.findByRole('textbox', { name: 'Título' }))
    await user.click(screen.getByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('Escreva um título.')).toBeInTheDocument()
    expect(actions).toEqual([])
  })

  it('tells what the server says', async () => {
    server.use(
      http.post(at('/webhooks/channels/demo-address'), () => problem(429, 'Demasiados pedidos. Espere um minuto.')),
    )
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    expect(await screen.findByText('Demasiados pedidos. Espere um minuto.')).toBeInTheDocument()
  })

  it('tells that the server cannot be reached', async () => {
    server.use(http.post(at('/webhooks/channels/demo-address'), () => HttpResponse.error()))
    const { user } = renderApp('/demo')
    await user.click(await screen.findByRole('button', { name: 'Enviar' }))
    await waitFor(() => expect(screen.getByText('Algo Correu mal!')).toBeInTheDocument())
  })
})

it('the command can be pasted into a shell whatever it says', () => {
  expect(curl('http://x/y', { title: "d'água" })).toBe(
    `curl 'http://x/y' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"title":"d'\\''água"}'`,
  )
})
