import { screen, waitFor, within } from '@testing-library/react'
import type { Identity } from '@sininho/sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../lib/page'
import { id, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

vi.mock('../../lib/page', () => ({ openPage: vi.fn() }))

const section = () => screen.findByRole('region', { name: 'Formas de entrar' })

const identity = (values: Partial<Identity>): Identity => ({
  id: id(),
  kind: 'google',
  name: 'Google',
  email: 'ana@example.com',
  createdAt: '2026-01-01T00:00:00Z',
  ...values,
})

beforeEach(() => {
  vi.mocked(openPage).mockClear()
  state.subscriber = subscriber()
  state.signInMethods = [
    { kind: 'google', url: '/api/v1/auth/google' },
    { kind: 'oidc', provider: 'acme', name: 'Acme', url: '/api/v1/auth/oidc/acme' },
    { kind: 'email', url: '/api/v1/auth/email' },
  ]
  state.identities = [identity({}), identity({ id: id(), kind: 'email', name: 'E-mail', email: 'ana@example.org' })]
})

describe('the ways in to the account', () => {
  it('are listed, and removed', async () => {
    const { user } = renderApp('/settings/security')
    const list = within(await section())
    await user.click(await list.findByRole('button', { name: 'Remover ana@example.org' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remover' }))
    expect(await screen.findByText('Forma de entrar removida.')).toBeInTheDocument()
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
    expect(list.getByText('ana@example.com')).toBeInTheDocument()
  })

  it('keep the only one that is offered', async () => {
    state.identities = [identity({}), identity({ id: id(), kind: undefined, name: 'https://old.example' })]
    renderApp('/settings/security')
    const list = within(await section())
    expect(await list.findByRole('button', { name: 'Remover https://old.example: ana@example.com' })).toBeVisible()
    expect(list.queryByRole('button', { name: 'Remover Google: ana@example.com' })).not.toBeInTheDocument()
  })

  it('are added at a provider', async () => {
    const { user } = renderApp('/settings/security')
    await user.click(await within(await section()).findByRole('button', { name: 'Adicionar forma de entrar' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Acme' }))
    await waitFor(() => expect(openPage).toHaveBeenCalledExactlyOnceWith('/login/code'))
    expect(actions).toContainEqual({
      call: 'POST /subscribers/identities',
      body: { kind: 'oidc', provider: 'acme', redirect: '/settings/security' },
    })
  })

  it('are added by an address', async () => {
    const { user } = renderApp('/settings/security')
    await user.click(await within(await section()).findByRole('button', { name: 'Adicionar forma de entrar' }))
    await user.click(await screen.findByRole('menuitem', { name: 'E-mail' }))
    const form = within(await screen.findByRole('form', { name: 'Adicionar um e-mail' }))
    await user.click(form.getByRole('button', { name: 'Enviar código' }))
    expect(form.getByLabelText('E-mail')).toHaveAccessibleDescription(/Escreva um e-mail\./)
    await user.type(form.getByLabelText('E-mail'), 'ana@example.net')
    await user.click(form.getByRole('button', { name: 'Enviar código' }))
    await waitFor(() => expect(openPage).toHaveBeenCalledExactlyOnceWith('/login/code'))
    expect(actions.at(-1)?.body).toEqual({ kind: 'email', email: 'ana@example.net', redirect: '/settings/security' })
  })

  it('say why one was not added', async () => {
    renderApp('/settings/security?error=taken')
    expect(await within(await section()).findByRole('alert')).toHaveTextContent(/já há outra conta/)
  })
})
