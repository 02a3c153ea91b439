import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { env } from '../../env'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const settings = { ...env() }
afterEach(() => {
  Object.assign(env(), settings)
  onlineManager.setOnline(true)
})

beforeEach(() => void (env().SIGN_UP = 'invitation'))

const region = async () => within(await screen.findByRole('region', { name: 'Entre na lista de espera' }))
const emailField = async () => (await region()).findByRole('textbox', { name: 'E-mail' })
const submit = async () => (await region()).getByRole('button', { name: 'Guardar o meu lugar' })
const joined = () => actions.filter(({ call }) => call === 'POST /waitlist/entries').map(({ body }) => body)

describe('the form of the waiting list', () => {
  it('sends the address and the name, and moves the focus to the next step', async () => {
    const { user } = renderApp('/')
    await user.type(await emailField(), ' ana@example.com ')
    await user.type((await region()).getByRole('textbox', { name: 'Nome (opcional)' }), 'Ana')
    await user.click(await submit())
    const heading = await screen.findByRole('heading', { name: 'Veja o seu e-mail' })
    expect(heading).toHaveFocus()
    expect((await region()).getByText(/^Vai a caminho uma mensagem para ana@example\.com\./)).toBeInTheDocument()
    expect(joined()).toEqual([{ email: 'ana@example.com', name: 'Ana' }])
  })

  it('takes another address afterwards', async () => {
    const { user } = renderApp('/')
    await user.type(await emailField(), 'ana@exemple.com{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Usar outro e-mail' }))
    expect(await emailField()).toHaveFocus()
    await user.type(await emailField(), 'ana@example.com{Enter}')
    await screen.findByText(/para ana@example\.com/)
    expect(joined()).toEqual([{ email: 'ana@exemple.com' }, { email: 'ana@example.com' }])
  })

  it.each([
    ['', 'Escreva o seu e-mail.'],
    ['ana', 'Escreva o endereço completo, como ana@example.com.'],
    ['ana@', 'Escreva o endereço completo, como ana@example.com.'],
  ])('does not send %j, says why at the field and takes the focus there', async (typed, fault) => {
    const { user } = renderApp('/')
    if (typed) await user.type(await emailField(), typed)
    await user.click(await submit())
    expect(await emailField()).toHaveAccessibleDescription(fault)
    expect(await emailField()).toHaveFocus()
    expect(joined()).toEqual([])
  })

  it('shows the server’s fault at the field, until it is changed', async () => {
    server.use(
      http.post(at('/waitlist/entries'), () =>
        HttpResponse.json(
          {
            type: 'about:blank',
            title: 'Unprocessable Entity',
            status: 422,
            detail: 'O pedido tem 1 falha.',
            code: 'invalid',
            requestId: 'request-1',
            errors: [{ pointer: '#/email', code: 'email', detail: 'não é um endereço de e-mail' }],
          },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/')
    await user.type(await emailField(), 'ana@-.pt{Enter}')
    await waitFor(async () => expect(await emailField()).toHaveAccessibleDescription('Não é um endereço de e-mail.'))
    expect(await emailField()).toHaveFocus()
    await user.type(await emailField(), 'a')
    expect(await emailField()).not.toHaveAccessibleDescription()
  })

  it('shows that it is being sent, and sends it once', async () => {
    let asked = 0
    server.use(
      http.post(at('/waitlist/entries'), async () => {
        asked++
        return delay('infinite')
      }),
    )
    const { user } = renderApp('/')
    await user.type(await emailField(), 'ana@example.com{Enter}{Enter}')
    expect((await region()).getByRole('button', { name: 'Guardar o meu lugar' })).toHaveAttribute(
      'data-loading',
      'true',
    )
    await user.type(await emailField(), '{Enter}')
    await waitFor(() => expect(asked).toBe(1))
  })

  it('says when it may be tried again after too many, and waits until then', async () => {
    let asked = 0
    server.use(
      http.post(at('/waitlist/entries'), () => {
        asked++
        return HttpResponse.json(
          { type: 'about:blank', title: 'Too Many Requests', status: 429, code: 'rate_limited', requestId: 'r' },
          { status: 429, headers: { 'Retry-After': '30' } },
        )
      }),
    )
    const { user } = renderApp('/')
    await user.type(await emailField(), 'ana@example.com{Enter}')
    expect(await (await region()).findByText(/^Houve muitas inscrições seguidas daqui\./)).toBeInTheDocument()
    expect(await submit()).toHaveAttribute('aria-disabled', 'true')
    await user.click(await submit())
    expect(asked).toBe(1)
  })

  it('keeps the typed text when the server cannot be reached, and says so', async () => {
    server.use(http.post(at('/waitlist/entries'), () => HttpResponse.error()))
    const { user } = renderApp('/')
    await user.type(await emailField(), 'ana@example.com{Enter}')
    expect(await screen.findByText('Algo Correu mal!')).toBeInTheDocument()
    expect(await emailField()).toHaveValue('ana@example.com')
  })

  it('says in the server’s words when the list has been closed meanwhile', async () => {
    server.use(http.post(at('/waitlist/entries'), () => problem(503, 'Aqui não há lista de espera.', 'closed')))
    const { user } = renderApp('/')
    await user.type(await emailField(), 'ana@example.com{Enter}')
    expect(await screen.findByText('Aqui não há lista de espera.')).toBeInTheDocument()
  })

  it('says that there is no connection', async () => {
    renderApp('/')
    const form = await region()
    act(() => onlineManager.setOnline(false))
    expect(form.getByRole('status')).toHaveTextContent('Sem ligação. Pode inscrever-se assim que ela voltar.')
  })
})

describe('visibility', () => {
  const below = () => screen.findByRole('navigation', { name: 'Rodapé' })
  const shown = () => screen.queryByRole('region', { name: 'Entre na lista de espera' })

  it.each([{ WAITLIST: 'closed' }, { SIGN_UP: 'open' }])('nobody where %o', async (settings) => {
    Object.assign(env(), settings)
    renderApp('/')
    await below()
    expect(shown()).not.toBeInTheDocument()
  })

  it('is hidden from signed-in people', async () => {
    state.subscriber = subscriber()
    renderApp('/')
    await below()
    await waitFor(() => expect(shown()).not.toBeInTheDocument())
  })
})

describe('the first button', () => {
  const start = (name: string) => screen.findByRole('link', { name })

  it('leads to sign in where anybody may sign up', async () => {
    env().SIGN_UP = 'open'
    renderApp('/')
    expect(await start('Começar')).toHaveAttribute('href', '/login')
  })

  it('leads a visitor to the form where that takes an invitation', async () => {
    const { user } = renderApp('/')
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    await user.click(await start('Pedir convite'))
    await waitFor(async () => expect(await emailField()).toHaveFocus())
    expect(scrolled.mock.contexts).toContain(screen.getByRole('region', { name: 'Entre na lista de espera' }))
    expect((await region()).getByText(/^Por agora, o Sininho é só por convite\./)).toBeInTheDocument()
  })

  it('leads to the form from another screen too', async () => {
    const { user } = renderApp('/login')
    await user.click(await screen.findByRole('link', { name: 'Ir para a lista de espera' }))
    await waitFor(async () => expect(await emailField()).toHaveFocus())
  })

  it('leads signed-in people to the feed all the same', async () => {
    state.subscriber = subscriber()
    renderApp('/')
    expect(await start('Ver notificações')).toHaveAttribute('href', '/feed')
  })

  it('leads to sign in where there is no list to wait in', async () => {
    env().WAITLIST = 'closed'
    renderApp('/')
    expect(await start('Começar')).toHaveAttribute('href', '/login')
  })
})

describe('the referral', () => {
  const note = /^Veio por um link partilhado/

  it.each(['k7p2m9xq', '12345678', '12e45678'])('is sent to the server, from ?ref=%s', async (code) => {
    const { user } = renderApp(`/?ref=${code}`)
    await user.type(await emailField(), 'rui@example.com{Enter}')
    await screen.findByRole('heading', { name: 'Veja o seu e-mail' })
    expect(joined()).toEqual([{ email: 'rui@example.com', referralCode: code }])
  })

  it('is remembered while the visitor looks around', async () => {
    const { user } = renderApp('/?ref=k7p2m9xq')
    expect((await region()).getByText(note)).toBeInTheDocument()
    await user.click(
      within(screen.getByRole('navigation', { name: 'Principal' })).getByRole('link', { name: 'Entrar' }),
    )
    await screen.findByRole('heading', { level: 1, name: 'Entrar no Sininho' })
    await user.click(screen.getByRole('link', { name: 'Sininho' }))
    await user.type(await emailField(), 'rui@example.com{Enter}')
    await screen.findByRole('heading', { name: 'Veja o seu e-mail' })
    expect(joined()).toEqual([{ email: 'rui@example.com', referralCode: 'k7p2m9xq' }])
  })

  it.each(['%3Cb%3E', 'A'.repeat(65), ''])('is nobody by ?ref=%s', async (code) => {
    renderApp(`/?ref=${code}`)
    expect((await region()).queryByText(note)).not.toBeInTheDocument()
  })

  it('is forgotten where the browser keeps nothing, and the form works', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    renderApp('/?ref=k7p2m9xq')
    expect(await emailField()).toBeInTheDocument()
    expect((await region()).queryByText(note)).not.toBeInTheDocument()
  })
})
