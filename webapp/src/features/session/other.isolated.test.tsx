import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../lib/page'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server } from '../../testing/server'

vi.mock('../../lib/page', async (original) => ({ ...(await original<object>()), openPage: vi.fn() }))

let answers: (() => Response)[]

beforeEach(() => {
  vi.mocked(openPage).mockClear()
  server.use(
    http.post(at('/auth/device'), async ({ request }) => {
      actions.push({ call: 'POST /auth/device', body: await request.json() })
      return HttpResponse.json({
        deviceCode: 'secret',
        userCode: 'BCDF-GHJK',
        verificationUrl: 'https://sininho.example/login/device',
        verificationUrlComplete: 'https://sininho.example/login/device',
        expiresIn: 900,
        interval: 0,
      })
    }),
    http.post(at('/auth/device/session'), () => (answers.length > 1 ? answers.shift()! : answers[0]!)()),
  )
})

const pending = () => problem(400, 'Espere.', 'authorization_pending')

/** Asks for a code to type on another device. */
async function ask() {
  const { user } = renderApp('/login?redirect=/channels')
  await user.click(await screen.findByRole('button', { name: 'Entrar com outro dispositivo' }))
}

describe('a browser that another device lets in', () => {
  it('shows a code, waits, and leads on', async () => {
    answers = [pending, () => new HttpResponse(null, { status: 204 })]
    await ask()
    expect(await screen.findByText('BCDF-GHJK')).toBeInTheDocument()
    expect(screen.getByText('https://sininho.example/login/device')).toBeInTheDocument()
    await waitFor(() => expect(openPage).toHaveBeenCalledWith('/login?redirect=%2Fchannels'), { timeout: 5000 })
    expect(actions).toContainEqual({
      call: 'POST /auth/device',
      body: { browser: true, clientName: expect.any(String) as string },
    })
  })

  it.each([
    ['access_denied', 'O pedido foi recusado no outro dispositivo.'],
    ['expired_token', 'O código já não serve. Peça outro.'],
  ])('says that it was not let in: %s', async (code, text) => {
    answers = [() => problem(400, 'Não.', code)]
    await ask()
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    expect(screen.getByRole('button', { name: 'Entrar com outro dispositivo' })).toBeInTheDocument()
    expect(openPage).not.toHaveBeenCalled()
  })
})
