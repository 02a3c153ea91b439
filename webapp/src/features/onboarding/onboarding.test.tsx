import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { category, channel, subscriber } from '../../testing/factories'
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

it('goes on where it was left, and back', async () => {
  state.onboarding = { step: 'channels', categoryIds: ['k2'] }
  const { user } = renderApp('/onboarding')
  expect(await screen.findByRole('img', { name: 'Passo 2 de 3' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Voltar' }))
  expect(await screen.findByRole('checkbox', { name: 'Cidade' })).toBeChecked()
})

it('stays on a step that could not be saved', async () => {
  server.use(http.put(at('/subscribers/onboarding'), () => problem(500)))
  const { user } = renderApp('/onboarding')
  await user.click(await screen.findByRole('button', { name: 'Continuar' }))
  expect(await screen.findByText('Não foi possível guardar este passo.')).toBeInTheDocument()
  expect(screen.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeInTheDocument()
})
