import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { category, channel, subscriber } from '../../testing/factories'
import { deviceTimezone } from '../../lib/timezones'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

beforeEach(() => {
  state.subscriber = subscriber({ onboarded: false })
  state.categories = [category({ id: 'k1' }), category({ id: 'k2', slug: 'cidade', name: 'Cidade' })]
  state.channels = [
    channel({ name: 'Metro de Lisboa' }),
    channel({ slug: 'avisos', name: 'Tempo', category: { id: 'k2', slug: 'cidade', name: 'Cidade' } }),
  ]
})

it('goes through three steps, each saved, and on to the feed', async () => {
  const { user, history } = renderApp('/onboarding')
  await user.click(await screen.findByRole('checkbox', { name: 'Cidade' }))
  await user.click(screen.getByRole('button', { name: 'Continuar' }))

  expect(await screen.findByRole('heading', { level: 1, name: 'Canais para começar' })).toBeInTheDocument()
  await user.click(await screen.findByRole('button', { name: 'Seguir Tempo' }))
  expect(screen.queryByText('Metro de Lisboa')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Continuar' }))

  expect(await screen.findByRole('heading', { level: 1, name: 'Receba na hora' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Ver as minhas notificações' }))
  await waitFor(() => expect(history.location.pathname).toBe('/feed'))
  expect(actions.filter(({ call }) => call.startsWith('PUT'))).toEqual([
    { call: 'PUT /subscribers/onboarding', body: { step: 'channels', categoryIds: ['k2'] } },
    { call: 'PUT /subscribers/onboarding', body: { step: 'notifications', categoryIds: ['k2'] } },
    { call: 'PUT /subscribers/onboarding', body: { step: 'done', categoryIds: ['k2'] } },
  ])
})

it('goes on where it was left, and back without losing anything', async () => {
  state.onboarding = { step: 'channels', categoryIds: ['k2'] }
  const { user, history } = renderApp('/onboarding')
  const steps = within(await screen.findByRole('navigation', { name: 'Passos' }))
  expect(steps.getByText(/Canais/).closest('li')).toHaveAttribute('aria-current', 'step')
  await user.click(screen.getByRole('button', { name: 'Voltar' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Transportes', checked: false }))
  await user.click(screen.getByRole('button', { name: 'Continuar' }))
  await screen.findByRole('heading', { level: 1, name: 'Canais para começar' })
  act(() => history.back())
  expect(await screen.findByRole('checkbox', { name: 'Cidade' })).toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'Transportes' })).toBeChecked()
})

it('leads back by the names of the steps that are done, and moves the focus to the heading', async () => {
  state.onboarding = { step: 'notifications', categoryIds: [] }
  const { user } = renderApp('/onboarding')
  await user.click(await screen.findByRole('link', { name: /^Interesses ?, feito$/ }))
  expect(await screen.findByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toHaveFocus()
})

it('gives a new account the timezone of the device, once', async () => {
  state.subscriber = subscriber({ onboarded: false, timezone: 'Atlantic/Azores' })
  const { user } = renderApp('/onboarding')
  await user.click(await screen.findByRole('button', { name: 'Saltar tudo' }))
  await waitFor(() => expect(state.onboarding.step).toBe('done'))
  expect(actions).toContainEqual({ call: 'PATCH /subscribers/me', body: { timezone: deviceTimezone() } })
})

it('can be skipped altogether', async () => {
  const { user, history } = renderApp('/onboarding?redirect=/channels')
  await user.click(await screen.findByRole('button', { name: 'Saltar tudo' }))
  await waitFor(() => expect(history.location.pathname).toBe('/channels'))
  expect(actions).toContainEqual({ call: 'PUT /subscribers/onboarding', body: { step: 'done', categoryIds: [] } })
})

describe('the channels suggested', () => {
  beforeEach(() => {
    state.onboarding = { step: 'channels', categoryIds: ['k2'] }
  })

  it('say what they are about', async () => {
    state.channels[1]!.description = 'A previsão da manhã.'
    renderApp('/onboarding')
    const row = (await screen.findByRole('link', { name: 'Tempo' })).closest('li')!
    expect(within(row).getByText('A previsão da manhã.')).toBeInTheDocument()
    expect(screen.getByText('1 sugestão')).toBeInTheDocument()
  })

  it('are followed all at once', async () => {
    state.onboarding.categoryIds = ['k1', 'k2']
    const { user } = renderApp('/onboarding')
    await user.click(await screen.findByRole('button', { name: 'Seguir todos' }))
    expect(await screen.findAllByRole('button', { name: /^A seguir/ })).toHaveLength(2)
    expect(screen.queryByRole('button', { name: /^Seguir (todos|os outros)/ })).not.toBeInTheDocument()
    expect(screen.getByText('Já segue todos')).toBeInTheDocument()
  })

  it('are the most followed ones where the interests have none', async () => {
    state.categories.push(category({ id: 'k3', slug: 'vazia', name: 'Vazia' }))
    state.onboarding.categoryIds = ['k3']
    renderApp('/onboarding')
    expect(await screen.findByText(/Ainda não há canais nestes assuntos/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Metro de Lisboa' })).toBeInTheDocument()
  })

  it('that cannot be fetched say so, and are tried again', async () => {
    server.use(http.get(at('/channels'), () => problem(500, 'Avaria.')))
    const { user } = renderApp('/onboarding')
    expect(await screen.findByRole('alert')).toHaveTextContent('Avaria.')
    server.resetHandlers()
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByRole('link', { name: 'Tempo' })).toBeInTheDocument()
  })

  it('may be none at all', async () => {
    state.channels = []
    renderApp('/onboarding')
    expect(await screen.findByText('Ainda não há canais')).toBeInTheDocument()
  })
})

it('says that there are no subjects yet, and goes on', async () => {
  state.categories = []
  const { user } = renderApp('/onboarding')
  expect(await screen.findByText('Ainda não há assuntos')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Continuar' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Canais para começar' })).toBeInTheDocument()
})

it('asks for no permission where it could not be given, and says why', async () => {
  state.onboarding = { step: 'notifications', categoryIds: [] }
  renderApp('/onboarding')
  expect(await screen.findByText(/Este navegador não recebe notificações/)).toBeInTheDocument()
  expect(screen.queryByText(/vai pedir a sua permissão/)).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Ativar notificações' })).not.toBeInTheDocument()
})

it('stays on a step that could not be saved', async () => {
  server.use(http.put(at('/subscribers/onboarding'), () => problem(500)))
  const { user } = renderApp('/onboarding')
  await user.click(await screen.findByRole('button', { name: 'Continuar' }))
  expect(await screen.findByText('Não foi possível guardar este passo.')).toBeInTheDocument()
  expect(screen.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeInTheDocument()
})
