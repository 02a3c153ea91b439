import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { invitation, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

beforeEach(() => (state.subscriber = subscriber()))

const accept = () => screen.findByRole('button', { name: 'Aceitar o convite de Metro de Lisboa' })

describe('an invitation', () => {
  it('says who invites, to what and what others will see, and is accepted', async () => {
    const mine = invitation()
    state.invitations = [mine, invitation({ publisher: { ...mine.publisher, name: 'Carris' }, role: 'owner' })]
    const { user } = renderApp('/invitations')
    const card = (await accept()).closest('li')!
    expect(card).toHaveTextContent('Convite de Rui Costa para publicar e gerir os canais.')
    expect(card).toHaveTextContent('rui@example.com · pode responder até 15/01/2026')
    expect(card).toHaveTextContent('quem já participa vê o seu nome, o seu e-mail e a sua fotografia')
    expect(within(card).queryByRole('img')).not.toBeInTheDocument()
    expect(screen.getByText(/^Convite de Rui Costa para ser responsável/)).toBeInTheDocument()
    await user.click(await accept())
    expect(await screen.findByRole('heading', { name: 'Já participa em Metro de Lisboa' })).toBeInTheDocument()
    expect(await screen.findByText('Já participa em Metro de Lisboa.')).toBeInTheDocument()
    expect(actions).toContainEqual({ call: `POST /subscribers/invitations/${mine.id}/accept`, body: undefined })
    await waitFor(() => expect(screen.queryByRole('button', { name: /de Metro de Lisboa/ })).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Aceitar o convite de Carris' })).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1, name: 'Convites' })).toHaveFocus()
  })

  it('is declined', async () => {
    const mine = invitation({ invitedBy: undefined })
    state.invitations = [mine]
    const { user } = renderApp('/invitations')
    expect(await screen.findByText('Convite para publicar e gerir os canais.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Recusar o convite de Metro de Lisboa' }))
    expect(await screen.findByText('Convite recusado.')).toBeInTheDocument()
    expect(await screen.findByText('Não tem convites à espera')).toBeInTheDocument()
    expect(actions).toContainEqual({ call: `POST /subscribers/invitations/${mine.id}/decline`, body: undefined })
  })

  it('that was withdrawn meanwhile is explained', async () => {
    state.invitations = [invitation()]
    const { user } = renderApp('/invitations')
    await accept()
    state.invitations = []
    await user.click(await accept())
    expect(await screen.findByRole('alert')).toHaveTextContent('Este convite já não está aberto.')
    expect(await screen.findByText('Não tem convites à espera')).toBeInTheDocument()
  })
})

describe('without an invitation', () => {
  it('the page says which account is signed in, and where to sign out', async () => {
    renderApp('/invitations')
    expect(await screen.findByText(/Entrou como ana@example.com\./)).toBeInTheDocument()
    const main = within(screen.getByRole('main'))
    // the other one leads back, and only phones show it
    const [, settings] = main.getAllByRole('link', { name: 'Preferências' })
    expect(settings).toHaveAttribute('href', '/settings')
  })

  it('a failure is shown, and tried again', async () => {
    server.use(http.get(at('/subscribers/invitations'), () => problem(500), { once: true }))
    state.invitations = [invitation()]
    const { user } = renderApp('/invitations')
    await user.click(await screen.findByRole('button', { name: 'Tentar novamente' }))
    expect(await accept()).toBeInTheDocument()
  })

  it('the page is loading at first', async () => {
    server.use(http.get(at('/subscribers/invitations'), () => new Promise<HttpResponse<null>>(() => undefined)))
    renderApp('/invitations')
    expect(await screen.findByText('A carregar…')).toBeInTheDocument()
  })
})

describe('the notice on the feed', () => {
  it('leads to the invitations', async () => {
    state.invitations = [invitation()]
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('link', { name: 'Tem um convite à espera' }))
    expect(await accept()).toBeInTheDocument()
  })

  it('is absent without invitations', async () => {
    renderApp('/feed')
    expect(await screen.findByRole('heading', { level: 1, name: 'Notificações' })).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /convite/ })).not.toBeInTheDocument()
  })
})

it('a visitor signs in first, and returns to the invitations', async () => {
  state.subscriber = undefined
  renderApp('/invitations')
  expect(await screen.findByRole('link', { name: 'Continuar com o Google' })).toHaveAttribute(
    'href',
    expect.stringContaining(encodeURIComponent('/login?redirect=%2Finvitations')),
  )
})
