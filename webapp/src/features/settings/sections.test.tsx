import { screen, waitFor, within } from '@testing-library/react'
import { delay, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { device, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, server, state } from '../../testing/server'

const names = [
  'Perfil',
  'Notificações',
  'Dispositivos',
  'Aplicação',
  'Segurança',
  'Publicação',
  'Tokens de acesso',
  'Os seus dados',
]

const list = async () => within(await screen.findByRole('navigation', { name: 'Partes das preferências' }))
const main = () => within(screen.getByRole('main'))
const title = (name: string) => screen.findByRole('heading', { level: 1, name })
/** What was fetched, by the end of the address. */
const fetched = () => {
  const paths = new Set<string>()
  server.events.on('request:start', ({ request }) => void paths.add(new URL(request.url).pathname.replace(/.*\//, '')))
  return paths
}
const wide = () =>
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media === '(min-width: 48em)',
    media,
    addEventListener() {},
    removeEventListener() {},
  }))

beforeEach(() => (state.subscriber = subscriber()))

describe('on a phone', () => {
  it('the list of sections comes first, with what each is set to or holds', async () => {
    state.devices = [device(), device({ installationId: 'other' })]
    renderApp('/settings')
    expect(await title('Preferências')).toBeInTheDocument()
    const links = (await list()).getAllByRole('link')
    expect(links).toHaveLength(names.length)
    links.forEach((link, index) => expect(link).toHaveTextContent(new RegExp(`^${names[index]}`)))
    await waitFor(() => expect(links[0]).toHaveTextContent('ana@example.com'))
    expect(links[1]).toHaveTextContent('Desativadas neste dispositivo')
    expect(links[2]).toHaveTextContent('2 dispositivos')
    expect(links[3]).toHaveTextContent('Aparência automática')
    expect(links[4]).toHaveTextContent('Formas de entrar e sessões')
    expect(document.title).toBe('Preferências · Sininho')
    expect(screen.queryByRole('region', { name: 'Perfil' })).not.toBeInTheDocument()
  })

  it('a section is a screen of its own, from which one goes back to the list', async () => {
    const { user, history } = renderApp('/settings')
    await user.click((await list()).getByRole('link', { name: /^Segurança/ }))
    expect(await title('Segurança')).toHaveFocus()
    expect(history.location.pathname).toBe('/settings/security')
    await waitFor(() => expect(document.title).toBe('Segurança · Preferências · Sininho'))
    expect(screen.queryByRole('navigation', { name: 'Partes das preferências' })).not.toBeInTheDocument()
    const nav = within(screen.getByRole('navigation', { name: 'Principal' }))
    expect(nav.getByRole('link', { name: 'Preferências' })).toHaveAttribute('aria-current', 'page')
    await user.click(main().getByRole('link', { name: 'Preferências' }))
    expect(await title('Preferências')).toHaveFocus()
    expect(history.location.pathname).toBe('/settings')
    expect(history.canGoBack()).toBe(false) // the list is not twice in the history
  })

  it('a section that was opened by its address leads to the list too', async () => {
    const { user, history } = renderApp('/settings/data')
    await title('Os seus dados')
    await user.click(main().getByRole('link', { name: 'Preferências' }))
    expect(await title('Preferências')).toHaveFocus()
    expect(history.location.pathname).toBe('/settings')
  })

  it('one can leave while things load', async () => {
    server.use(http.get(at('/subscribers/me'), () => delay('infinite')))
    renderApp('/settings')
    expect(await screen.findByRole('button', { name: 'Sair' })).toBeEnabled()
    expect((await list()).getByRole('link', { name: /^Perfil/ })).toHaveTextContent('Nome, língua e fuso horário')
  })
})

describe('where there is room', () => {
  beforeEach(wide)

  it('the first section is beside the list', async () => {
    renderApp('/settings')
    expect(await title('Preferências')).toBeInTheDocument()
    expect(await screen.findByRole('heading', { level: 2, name: 'Perfil' })).toBeInTheDocument()
    expect((await list()).getByRole('link', { name: 'Perfil' })).toHaveAttribute('aria-current', 'page')
    expect(document.title).toBe('Preferências · Sininho')
  })

  it('the list stays, and marks the section', async () => {
    const { user } = renderApp('/settings')
    await user.click((await list()).getByRole('link', { name: 'Tokens de acesso' }))
    expect(await title('Tokens de acesso')).toHaveFocus()
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    const links = (await list()).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual(
      names.map((name) => (name === 'Tokens de acesso' ? 'page' : null)),
    )
    await waitFor(() => expect(document.title).toBe('Tokens de acesso · Preferências · Sininho'))
    expect(main().queryByRole('link', { name: 'Preferências' })).not.toBeInTheDocument()
  })
})

it('a section loads its own data alone', async () => {
  const paths = fetched()
  renderApp('/settings/tokens')
  expect(await screen.findByText('Nenhum programa tem acesso')).toBeInTheDocument()
  server.events.removeAllListeners()
  expect(paths).toContain('access-tokens')
  for (const other of ['me', 'devices', 'identities', 'sessions']) expect(paths).not.toContain(other)
})

it('there is no other section', async () => {
  renderApp('/settings/nada')
  expect(await title('Você Está Perdido??')).toBeInTheDocument()
})
