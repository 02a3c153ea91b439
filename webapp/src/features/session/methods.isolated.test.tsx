import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../lib/page'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

vi.mock('../../lib/page', () => ({ openPage: vi.fn() }))

beforeEach(() => {
  vi.mocked(openPage).mockClear()
  state.signInMethods = [
    { kind: 'google', url: '/api/v1/auth/google' },
    { kind: 'oidc', provider: 'acme', name: 'Acme', url: '/api/v1/auth/oidc/acme' },
    { kind: 'email', url: '/api/v1/auth/email' },
  ]
  server.use(
    http.post(at('/auth/email'), async ({ request }) => {
      const body = (await request.json()) as { email: string }
      if (body.email.includes('ã')) {
        const errors = [{ pointer: '#/email', code: 'email', detail: 'não é um endereço de e-mail' }]
        return problem(422, undefined, 'invalid', errors)
      }
      actions.push({ call: 'POST /auth/email', body })
      return new HttpResponse(null, { status: 204 })
    }),
    http.post(at('/auth/email/code'), async ({ request }) => {
      const { code } = (await request.json()) as { code: string }
      if (code === '99999999') return problem(404, undefined, 'no_sign_in')
      if (code === '12345678') return HttpResponse.json({ url: '/login?redirect=%2Fsettings' })
      return problem(422, undefined, 'invalid', [
        { pointer: '#/code', code: 'wrong', detail: 'não é o código do último e-mail' },
      ])
    }),
  )
})

describe('the ways to sign in', () => {
  it('are those of the installation, each with its name', async () => {
    renderApp('/login?redirect=/settings&invitation=swi_ana')
    const acme = await screen.findByRole('link', { name: 'Continuar com a conta Acme' })
    const url = new URL(acme.getAttribute('href')!, 'http://localhost:8080')
    expect(url.pathname).toBe('/api/v1/auth/oidc/acme')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      redirect: '/login?redirect=%2Fsettings',
      invitation: 'swi_ana',
    })
    expect(screen.getByRole('link', { name: 'Continuar com o Google' })).toBeInTheDocument()
  })

  it('may be email alone', async () => {
    state.signInMethods = [{ kind: 'email', url: '/api/v1/auth/email' }]
    renderApp('/login')
    expect(await screen.findByLabelText('E-mail')).toBeInTheDocument()
    expect(screen.queryByText('ou')).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /Continuar com/ })).not.toBeInTheDocument()
  })

  it('say that an address has an account already, and lead to where another way is added', async () => {
    renderApp('/login?error=known_address')
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Já há uma conta com este endereço/)
    const google = screen.getByRole('link', { name: 'Continuar com o Google' })
    const { searchParams } = new URL(google.getAttribute('href')!, 'http://localhost:8080')
    expect(searchParams.get('redirect')).toBe('/login?redirect=%2Fsettings%2Fsecurity')
  })
})

describe('an emailed code', () => {
  it('is asked for, typed with a space, and leads on', async () => {
    const { user, history } = renderApp('/login?redirect=%2Fsettings')
    await user.type(await screen.findByLabelText('E-mail'), ' ana@example.com ')
    await user.click(screen.getByRole('button', { name: 'Receber um código' }))
    expect(await screen.findByText('Enviámos um e-mail para ana@example.com com um código.')).toBeInTheDocument()
    expect(history.location.href).toBe('/login/code')
    expect(actions).toContainEqual({
      call: 'POST /auth/email',
      body: { email: 'ana@example.com', redirect: '/login?redirect=%2Fsettings' },
    })
    await user.type(screen.getByLabelText('Código de 8 algarismos'), '1234 5678')
    await user.click(screen.getByRole('button', { name: 'Confirmar' }))
    await waitFor(() => expect(openPage).toHaveBeenCalledExactlyOnceWith('/login?redirect=%2Fsettings'))
  })

  it('needs an address', async () => {
    const { user } = renderApp('/login')
    const send = await screen.findByRole('button', { name: 'Receber um código' })
    await user.click(send)
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription(/Escreva o seu e-mail\./)
    for (const wrong of ['ana', 'ana@', 'ana@exemplo', 'ana vaz@exemplo.pt']) {
      await user.clear(screen.getByLabelText('E-mail'))
      await user.type(screen.getByLabelText('E-mail'), wrong)
      await user.click(send)
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription(/Escreva o endereço completo, como/)
    }
    expect(actions).toEqual([])
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('says what the server refuses at the field, as a sentence', async () => {
    const { user } = renderApp('/login')
    await user.type(await screen.findByLabelText('E-mail'), 'ana@não.pt')
    await user.click(screen.getByRole('button', { name: 'Receber um código' }))
    await waitFor(() =>
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription(/Não é um endereço de e-mail\./),
    )
  })

  it('is explained where nothing was asked for', async () => {
    renderApp('/login/code')
    expect(await screen.findByText(/^Esta página é para o código que enviamos/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Pedir um código' })).toHaveAttribute('href', '/login')
  })

  it('that is wrong or too short can be typed again', async () => {
    const { user } = renderApp('/login/code')
    const input = await screen.findByLabelText('Código de 8 algarismos')
    await user.type(input, '123')
    await user.click(screen.getByRole('button', { name: 'Confirmar' }))
    expect(input).toHaveAccessibleDescription('Escreva os 8 algarismos do e-mail.')
    await user.clear(input)
    await user.type(input, '11111111')
    await user.click(screen.getByRole('button', { name: 'Confirmar' }))
    await waitFor(() => expect(input).toHaveAccessibleDescription('Não é o código do último e-mail.'))
    expect(openPage).not.toHaveBeenCalled()
  })

  it('of a link is given by itself', async () => {
    renderApp('/login/code#12345678')
    await waitFor(() => expect(openPage).toHaveBeenCalledExactlyOnceWith('/login?redirect=%2Fsettings'))
  })

  it('of a link in another browser explains itself', async () => {
    renderApp('/login/code#99999999')
    expect(await screen.findByRole('heading', { level: 1, name: 'Este código não serve aqui' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Pedir outro código' })).toHaveAttribute('href', '/login')
  })

  it('that has ended in the browser that asked leads back to where it was asked for', async () => {
    const { user } = renderApp('/login?redirect=%2Fsettings')
    await user.type(await screen.findByLabelText('E-mail'), 'ana@example.com')
    await user.click(screen.getByRole('button', { name: 'Receber um código' }))
    await user.type(await screen.findByLabelText('Código de 8 algarismos'), '99999999')
    await user.click(screen.getByRole('button', { name: 'Confirmar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Este código já não serve' })).toBeInTheDocument()
    const another = screen.getByRole('link', { name: 'Pedir outro código' })
    expect(another).toHaveAttribute('href', '/login?redirect=%2Fsettings')
  })

  it('is taken from people who are signed in too', async () => {
    state.subscriber = subscriber()
    renderApp('/login/code')
    expect(await screen.findByLabelText('Código de 8 algarismos')).toBeInTheDocument()
  })
})
