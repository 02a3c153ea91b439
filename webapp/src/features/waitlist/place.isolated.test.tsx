import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { env } from '../../env'
import { place } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const settings = { ...env() }
afterEach(() => {
  Object.assign(env(), settings)
  onlineManager.setOnline(true)
  Reflect.deleteProperty(navigator, 'share')
})

const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const waiting = 'O seu lugar na lista de espera'
const entry = at('/waitlist/entries/:token')

describe('a waiting person', () => {
  it('sees the position, how many wait, and how many they brought', async () => {
    state.place = place({ position: 1204, total: 23_340 })
    renderApp('/waitlist/swt_ana')
    await title(waiting)
    expect(screen.getByText('1204.º')).toBeInTheDocument()
    expect(screen.getByText('numa lista de 23 340 pessoas')).toBeInTheDocument()
    expect(screen.getByText('Já trouxe 3 pessoas.')).toBeInTheDocument()
    expect(screen.getByText(/^O seu e-mail está confirmado\..*ana@example\.com\.$/)).toBeInTheDocument()
    expect(actions).toEqual([])
  })

  it('is called by their name', async () => {
    state.place = place({ name: 'Ana', referrals: 0, position: 1, total: 1 })
    renderApp('/waitlist/swt_ana')
    await title('Ana, este é o seu lugar na lista')
    expect(screen.getByText('numa lista de 1 pessoa')).toBeInTheDocument()
    expect(screen.getByText('Ainda não trouxe ninguém.')).toBeInTheDocument()
  })

  it('copies the link to share', async () => {
    state.place = place()
    const { user } = renderApp('/waitlist/swt_ana')
    await title(waiting)
    await user.click(screen.getByRole('button', { name: 'Copiar o link' }))
    expect(await screen.findByRole('button', { name: 'Copiado' })).toBeInTheDocument()
    expect(await navigator.clipboard.readText()).toBe('http://localhost:8080/?ref=k7p2m9xq')
    expect(screen.queryByRole('button', { name: 'Partilhar' })).not.toBeInTheDocument()
  })

  it('selects it by hand where it cannot be copied', async () => {
    state.place = place()
    const { user } = renderApp('/waitlist/swt_ana')
    await title(waiting)
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied', 'NotAllowedError'))
    await user.click(screen.getByRole('button', { name: 'Copiar o link' }))
    expect(await screen.findByText('Não foi possível copiar. Selecione o texto.')).toBeInTheDocument()
    expect(screen.getByText('http://localhost:8080/?ref=k7p2m9xq')).toBeInTheDocument()
  })

  it('shares it by the device’s own way, and may change their mind', async () => {
    const share = vi.fn().mockRejectedValue(new DOMException('closed', 'AbortError'))
    Object.defineProperty(navigator, 'share', { value: share, configurable: true })
    state.place = place()
    const { user } = renderApp('/waitlist/swt_ana')
    await user.click(await screen.findByRole('button', { name: 'Partilhar' }))
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: 'http://localhost:8080/?ref=k7p2m9xq' }))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('leaves after a confirmation, and moves the focus to the result', async () => {
    state.place = place()
    const { user, queryClient } = renderApp('/waitlist/swt_ana')
    await user.click(await screen.findByRole('button', { name: 'Sair da lista' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Sair da lista de espera?' }))
    expect(dialog.getByText(/o seu perde-se\.$/)).toBeInTheDocument()
    expect(actions).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Sair da lista' }))
    expect(await title('Saiu da lista de espera')).toHaveFocus()
    expect(actions).toEqual([{ call: 'DELETE /waitlist/entries/swt_ana', body: undefined }])
    expect(screen.getByRole('link', { name: 'Ir para a lista de espera' })).toHaveAttribute('href', '/#lista-de-espera')
    expect(queryClient.getQueryData(['waitlist', 'swt_ana'])).toBeNull()
  })

  it('stays when they think better of it', async () => {
    state.place = place()
    const { user } = renderApp('/waitlist/swt_ana')
    await user.click(await screen.findByRole('button', { name: 'Sair da lista' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancelar' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(actions).toEqual([])
  })

  it('has left if they had left elsewhere', async () => {
    state.place = place()
    const { user } = renderApp('/waitlist/swt_ana')
    await user.click(await screen.findByRole('button', { name: 'Sair da lista' }))
    state.place = undefined
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sair da lista' }))
    await title('Saiu da lista de espera')
  })

  it('reports when leaving fails', async () => {
    state.place = place()
    server.use(http.delete(entry, () => problem(500)))
    const { user } = renderApp('/waitlist/swt_ana')
    await user.click(await screen.findByRole('button', { name: 'Sair da lista' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sair da lista' }))
    expect(await screen.findByText('Não foi possível sair da lista.')).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1, name: waiting })).toBeInTheDocument()
  })
})

describe('the link of the first email', () => {
  it('confirms the address by it, and sees the position', async () => {
    state.place = place({ status: 'unconfirmed', position: undefined, confirmedAt: undefined, referrals: 0 })
    renderApp('/waitlist/swt_ana')
    await title(waiting)
    expect(screen.getByText('340.º')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'POST /waitlist/entries/swt_ana/confirm', body: undefined }])
  })

  it('may try again when that fails', async () => {
    state.place = place({ status: 'unconfirmed', position: undefined })
    server.use(http.post(at('/waitlist/entries/:token/confirm'), () => problem(500, 'Avaria.'), { once: true }))
    const { user } = renderApp('/waitlist/swt_ana')
    expect(await screen.findByRole('alert')).toHaveTextContent('Avaria.')
    expect(screen.getByRole('heading', { level: 1, name: 'Lista de espera' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    await title(waiting)
  })
})

it('an invited person can sign up, or still leave', async () => {
  state.place = place({
    status: 'invited',
    position: undefined,
    invitationUrl: 'http://localhost:8080/login?invitation=swi_ana',
  })
  const { user } = renderApp('/waitlist/swt_ana')
  await title('Chegou a sua vez')
  expect(screen.getByRole('link', { name: 'Aceitar o convite' })).toHaveAttribute(
    'href',
    'http://localhost:8080/login?invitation=swi_ana',
  )
  await user.click(screen.getByRole('button', { name: 'Sair da lista' }))
  expect(within(screen.getByRole('dialog')).getByText(/O convite deixa de valer\.$/)).toBeInTheDocument()
})

it('a person with an account is led to the app', async () => {
  state.place = place({ status: 'joined', position: undefined })
  renderApp('/waitlist/swt_ana')
  await title('Já está no Sininho')
  expect(screen.getByRole('link', { name: 'Ver as minhas notificações' })).toHaveAttribute('href', '/feed')
  expect(screen.queryByRole('button', { name: 'Sair da lista' })).not.toBeInTheDocument()
})

describe('the link to leave, which every e-mail has', () => {
  it('asks first, and confirms nothing', async () => {
    state.place = place({ status: 'unconfirmed', position: undefined })
    const { user } = renderApp('/waitlist/swt_ana?leave=true')
    await title('Sair da lista de espera?')
    expect(actions).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Sair da lista' }))
    expect(await title('Saiu da lista de espera')).toHaveFocus()
    expect(actions).toEqual([{ call: 'DELETE /waitlist/entries/swt_ana', body: undefined }])
  })

  it('also succeeds if the entry is already gone', async () => {
    const { user } = renderApp('/waitlist/swt_ana?leave=true')
    await user.click(await screen.findByRole('button', { name: 'Sair da lista' }))
    await title('Saiu da lista de espera')
  })

  it('leads back without leaving', async () => {
    renderApp('/waitlist/swt_ana?leave=true')
    expect(await screen.findByRole('link', { name: 'Ficar na lista' })).toHaveAttribute('href', '/waitlist/swt_ana')
  })

  it('stays when that fails', async () => {
    server.use(http.delete(entry, () => problem(500)))
    const { user } = renderApp('/waitlist/swt_ana?leave=true')
    await user.click(await screen.findByRole('button', { name: 'Sair da lista' }))
    expect(await screen.findByText('Não foi possível sair da lista.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Sair da lista' })).toBeEnabled()
  })
})

describe('a link that leads nowhere', () => {
  it.each([404, 422])('says so, by %d', async (status) => {
    server.use(http.get(entry, () => problem(status, 'Não existe.')))
    renderApp('/waitlist/swt_nobody')
    await title('Este link já não serve')
    expect(screen.getByRole('link', { name: 'Ir para a lista de espera' })).toBeInTheDocument()
  })

  it('leads home where there is no list any more', async () => {
    env().WAITLIST = 'closed'
    renderApp('/waitlist/swt_nobody')
    await title('Este link já não serve')
    expect(screen.getByRole('link', { name: 'Leve-me para casa' })).toHaveAttribute('href', '/')
  })
})

it('shows that it is looked for', async () => {
  server.use(http.get(entry, () => delay('infinite')))
  renderApp('/waitlist/swt_ana')
  await title('Lista de espera')
  expect(screen.getByText('A procurar o seu lugar…')).toBeInTheDocument()
})

it('says that there is no connection, and looks once there is', async () => {
  state.place = place()
  onlineManager.setOnline(false)
  renderApp('/waitlist/swt_ana')
  await title('Lista de espera')
  expect(await screen.findByText('Assim que a ligação voltar, isto carrega sozinho.')).toBeInTheDocument()
  onlineManager.setOnline(true)
  await title(waiting)
})

it('is not indexed and sends no referrer', async () => {
  state.place = place()
  renderApp('/waitlist/swt_ana')
  await title(waiting)
  expect(document.querySelector('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  expect(document.querySelector('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer')
})

it('asks at the waiting list’s own address', async () => {
  // a fresh module graph, because lib/api keeps its client
  vi.resetModules()
  const asked: string[] = []
  const fresh = await import('../../env')
  fresh.env().WAITLIST_API_BASE_URL = 'http://localhost:9090/api/v1'
  server.use(
    http.get('http://localhost:9090/api/v1/waitlist/entries/:token', ({ request }) => {
      asked.push(`${request.credentials} ${request.headers.get('Accept-Language')}`)
      return HttpResponse.json(place())
    }),
  )
  const { waitlistApi } = await import('../../lib/api')
  await waitlistApi().GET('/waitlist/entries/{token}', { params: { path: { token: 'swt_ana' } } })
  await waitFor(() => expect(asked).toEqual(['include pt-PT']))
})
