import { screen, waitFor, within } from '@testing-library/react'
import type { Passkey } from '@sininho/sdk'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { id, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const passkey = (values: Partial<Passkey> = {}): Passkey => ({
  id: id(),
  name: 'Chrome · Android',
  createdAt: '2026-01-01T00:00:00Z',
  ...values,
})

let keys: Passkey[]

const section = async () => within(await screen.findByRole('region', { name: 'Chaves de acesso' }))

beforeEach(() => {
  state.subscriber = subscriber()
  state.signInMethods = [{ kind: 'passkey', url: '/api/v1/auth/passkeys' }]
  keys = [passkey({ usedAt: '2026-02-01T00:00:00Z' }), passkey({ name: 'Chave azul' })]
  server.use(
    http.get(at('/subscribers/passkeys'), () => HttpResponse.json({ data: keys })),
    http.post(at('/subscribers/passkeys/challenge'), () => HttpResponse.json({ publicKey: { challenge: 'AAAA' } })),
    http.post(at('/subscribers/passkeys'), async ({ request }) => {
      actions.push({ call: 'POST /subscribers/passkeys', body: await request.json() })
      keys = [...keys, passkey({ name: 'Nova' })]
      return HttpResponse.json(keys.at(-1), { status: 201 })
    }),
    http.patch(at('/subscribers/passkeys/:id'), async ({ request, params }) => {
      const { name } = (await request.json()) as { name: string }
      keys = keys.map((each) => (each.id === params.id ? { ...each, name } : each))
      return HttpResponse.json(keys.find((each) => each.id === params.id))
    }),
    http.delete(at('/subscribers/passkeys/:id'), ({ params }) => {
      if (keys.length === 1) return problem(409, 'É a única forma de entrar na conta.', 'last_identity')
      keys = keys.filter((each) => each.id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

/** Makes the browser able to use passkeys, with an authenticator that does what is said. */
function authenticator(create: () => Promise<unknown>) {
  vi.stubGlobal('PublicKeyCredential', {
    parseRequestOptionsFromJSON: (options: unknown) => options,
    parseCreationOptionsFromJSON: (options: unknown) => options,
  })
  Object.defineProperty(navigator, 'credentials', { value: { create }, configurable: true })
}

describe('the passkeys', () => {
  it('are listed, renamed and removed, but for the last', async () => {
    const { user } = renderApp('/settings/security')
    const list = await section()
    await user.click(await list.findByRole('button', { name: 'Mudar o nome de Chave azul' }))
    await user.clear(list.getByLabelText('Novo nome'))
    await user.type(list.getByLabelText('Novo nome'), 'Chave verde{Enter}')
    expect(await list.findByText('Chave verde')).toBeInTheDocument()
    expect(keys[1]?.name).toBe('Chave verde')
    await user.click(list.getByRole('button', { name: 'Remover Chrome · Android' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remover' }))
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
    await waitFor(() => expect(list.queryByRole('button', { name: /^Remover/ })).not.toBeInTheDocument())
  })

  it('are added', async () => {
    authenticator(() => Promise.resolve({ toJSON: () => ({ id: 'x' }) }))
    const { user } = renderApp('/settings/security')
    const list = await section()
    await user.click(await list.findByRole('button', { name: 'Adicionar chave de acesso' }))
    expect(await list.findByText('Chave de acesso adicionada.')).toBeInTheDocument()
    expect(await list.findByText('Nova')).toBeInTheDocument()
    expect(actions).toContainEqual({ call: 'POST /subscribers/passkeys', body: { credential: { id: 'x' } } })
  })

  it.each([
    ['NotAllowedError', 'Não criou nenhuma chave. Tente novamente quando quiser.'],
    ['InvalidStateError', 'Este dispositivo já tem uma chave desta conta.'],
  ])('are not added after %s, with a word about it', async (name, text) => {
    authenticator(() => Promise.reject(new DOMException('', name)))
    const { user } = renderApp('/settings/security')
    const list = await section()
    await user.click(await list.findByRole('button', { name: 'Adicionar chave de acesso' }))
    expect(await list.findByText(text)).toBeInTheDocument()
  })

  it('are not for every browser', async () => {
    renderApp('/settings/security')
    expect(await (await section()).findByText(/Este navegador não sabe usar chaves de acesso/)).toBeInTheDocument()
  })

  it('are not mentioned where the installation does not offer them', async () => {
    state.signInMethods = [{ kind: 'google', url: '/api/v1/auth/google' }]
    renderApp('/settings/security')
    await screen.findByRole('button', { name: 'Adicionar Google' })
    expect(screen.queryByRole('region', { name: 'Chaves de acesso' })).not.toBeInTheDocument()
  })
})
