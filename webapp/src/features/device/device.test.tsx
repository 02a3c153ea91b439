import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const waiting = {
  userCode: 'BCDF-GHJK',
  clientName: 'sininho em portatil',
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-01T00:15:00Z',
  network: '203.0.113.7',
  sameNetwork: false,
  scopes: ['read', 'publish', 'manage'],
  tokenExpiresAt: '2026-04-01T12:00:00Z',
}

/** Opens the page and types a code. */
async function typeCode(code = waiting.userCode, path = '/login/device') {
  const app = renderApp(path)
  await app.user.type(await screen.findByRole('textbox', { name: /^Código/ }), code)
  await app.user.click(screen.getByRole('button', { name: 'Continuar' }))
  return app
}

beforeEach(() => {
  state.subscriber = subscriber()
  server.use(
    http.get(at('/auth/device'), ({ request }) =>
      new URL(request.url).searchParams.get('userCode') === waiting.userCode
        ? HttpResponse.json(waiting)
        : problem(404),
    ),
    http.post(at('/auth/device/approve'), async ({ request }) => {
      actions.push({ call: 'POST /auth/device/approve', body: await request.json() })
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

describe('a program that wants to be let in', () => {
  it('is named with its code, and confirmed', async () => {
    const { user } = await typeCode()
    expect(await screen.findByText('«sininho em portatil» quer entrar no Sininho em seu nome.')).toBeInTheDocument()
    expect(screen.getByText('BCDF-GHJK')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Confirmar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Programa ligado' })).toBeInTheDocument()
    expect(actions).toContainEqual({
      call: 'POST /auth/device/approve',
      body: { userCode: 'BCDF-GHJK', approve: true },
    })
  })

  it.each([
    [['read', 'publish', 'manage'], /^fazer tudo o que pode fazer aqui/],
    [['read', 'publish'], /^ler o que pode ler aqui e publicar/],
    [['read'], /^ler o que pode ler aqui, sem mudar nada/],
    [['publish'], /^publicar nos seus canais, e nada mais/],
  ])('is shown with its scopes %s', async (scopes, text) => {
    server.use(http.get(at('/auth/device'), () => HttpResponse.json({ ...waiting, scopes })))
    await typeCode()
    expect(await screen.findByText(text)).toBeInTheDocument()
  })

  it('is refused', async () => {
    const { user } = await typeCode()
    await user.click(await screen.findByRole('button', { name: 'Recusar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Pedido recusado' })).toBeInTheDocument()
    expect(actions).toContainEqual({
      call: 'POST /auth/device/approve',
      body: { userCode: 'BCDF-GHJK', approve: false },
    })
  })

  it('is never looked for by a code of the address', async () => {
    const { history } = renderApp('/login/device?code=BCDF-GHJK')
    expect(await screen.findByRole('textbox', { name: /^Código/ })).toHaveValue('')
    expect(screen.queryByRole('button', { name: 'Confirmar' })).not.toBeInTheDocument()
    expect(history.location.pathname).toBe('/login/device')
  })

  it('shows where the request comes from, its permissions and its expiry', async () => {
    await typeCode()
    expect(await screen.findByText(/de outra rede \(203\.0\.113\.7\)/)).toBeInTheDocument()
    expect(screen.getByText(/^fazer tudo o que pode fazer aqui/)).toBeInTheDocument()
    expect(screen.getByText(/^01\/04\/2026, ou até/)).toBeInTheDocument()
  })

  it('is not there any more, and another code can be typed', async () => {
    const { user } = await typeCode('ZZZZ-ZZZZ')
    expect(await screen.findByRole('heading', { level: 1, name: 'Código desconhecido' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Escrever outro código' }))
    expect(await screen.findByRole('textbox', { name: /^Código/ })).toHaveValue('')
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Ligar um programa' })).toHaveFocus())
  })

  it('cannot be looked for, and is tried again', async () => {
    server.use(http.get(at('/auth/device'), () => problem(500, 'Avaria.'), { once: true }))
    const { user } = await typeCode()
    expect(await screen.findByRole('alert')).toHaveTextContent('Avaria.')
    expect(screen.getByRole('heading', { level: 1, name: 'Ligar um programa' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByText('BCDF-GHJK')).toBeInTheDocument()
  })

  it('stays undecided when that fails', async () => {
    server.use(http.post(at('/auth/device/approve'), () => problem(500)))
    const { user } = await typeCode()
    await user.click(await screen.findByRole('button', { name: 'Confirmar' }))
    expect(await screen.findByText('Não foi possível responder ao programa.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Confirmar' })).toBeInTheDocument()
  })
})

it('a visitor signs in first, and comes back', async () => {
  state.subscriber = undefined
  const { history } = renderApp('/login/device')
  await waitFor(() => expect(history.location.pathname).toBe('/login'))
  expect(history.location.search).toContain(encodeURIComponent('/login/device'))
})
