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
    const { user } = renderApp('/login/device?code=BCDF-GHJK')
    expect(await screen.findByText('«sininho em portatil» quer entrar no Sininho em seu nome.')).toBeInTheDocument()
    expect(screen.getByText('BCDF-GHJK')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Confirmar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Programa ligado' })).toBeInTheDocument()
    expect(actions).toContainEqual({
      call: 'POST /auth/device/approve',
      body: { userCode: 'BCDF-GHJK', approve: true },
    })
  })

  it('is refused', async () => {
    const { user } = renderApp('/login/device?code=BCDF-GHJK')
    await user.click(await screen.findByRole('button', { name: 'Recusar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Pedido recusado' })).toBeInTheDocument()
    expect(actions).toContainEqual({
      call: 'POST /auth/device/approve',
      body: { userCode: 'BCDF-GHJK', approve: false },
    })
  })

  it('is looked for by a code that is typed', async () => {
    const { user, history } = renderApp('/login/device')
    await user.type(await screen.findByRole('textbox', { name: /^Código/ }), 'BCDF-GHJK')
    await user.click(screen.getByRole('button', { name: 'Continuar' }))
    expect(await screen.findByText('BCDF-GHJK')).toBeInTheDocument()
    expect(history.location.search).toBe('?code=BCDF-GHJK')
  })

  it('is not there any more, and another code can be typed', async () => {
    const { user, history } = renderApp('/login/device?code=ZZZZ-ZZZZ')
    expect(await screen.findByRole('heading', { level: 1, name: 'Código desconhecido' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Escrever outro código' }))
    expect(await screen.findByRole('textbox', { name: /^Código/ })).toHaveValue('')
    expect(history.location.search).toBe('')
    expect(screen.getByRole('heading', { level: 1, name: 'Ligar um programa' })).toHaveFocus()
  })

  it('cannot be looked for, and is tried again', async () => {
    server.use(http.get(at('/auth/device'), () => problem(500, 'Avaria.'), { once: true }))
    const { user } = renderApp('/login/device?code=BCDF-GHJK')
    expect(await screen.findByRole('alert')).toHaveTextContent('Avaria.')
    expect(screen.getByRole('heading', { level: 1, name: 'Ligar um programa' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByText('BCDF-GHJK')).toBeInTheDocument()
  })

  it('stays to be answered when that fails', async () => {
    server.use(http.post(at('/auth/device/approve'), () => problem(500)))
    const { user } = renderApp('/login/device?code=BCDF-GHJK')
    await user.click(await screen.findByRole('button', { name: 'Confirmar' }))
    expect(await screen.findByText('Não foi possível responder ao programa.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Confirmar' })).toBeInTheDocument()
  })
})

it('a visitor signs in first, and comes back with the code', async () => {
  state.subscriber = undefined
  const { history } = renderApp('/login/device?code=BCDF-GHJK')
  await waitFor(() => expect(history.location.pathname).toBe('/login'))
  expect(history.location.search).toContain(encodeURIComponent('/login/device?code=BCDF-GHJK'))
})
