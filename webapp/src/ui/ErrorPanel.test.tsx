import { screen } from '@testing-library/react'
import { http } from 'msw'
import { expect, it } from 'vitest'
import { category, channel, subscriber } from '../testing/factories'
import { renderApp } from '../testing/renderApp'
import { at, problem, server, state } from '../testing/server'

it('of several parts that cannot be fetched, one says why and fetches all again', async () => {
  state.subscriber = subscriber()
  state.categories = [category()]
  state.channels = [channel()]
  server.use(
    http.get(at('/categories'), () => problem(503, 'Em manutenção.')),
    http.get(at('/channels'), () => problem(503, 'Em manutenção.')),
  )
  const { user } = renderApp('/')
  expect(await screen.findByText('Em manutenção.')).toBeInTheDocument()
  expect(await screen.findAllByText('Não foi possível carregar.')).toHaveLength(2)
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  server.resetHandlers()
  await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  expect(await screen.findByText('Transportes')).toBeInTheDocument()
  expect(await screen.findByText('Metro de Lisboa')).toBeInTheDocument()
  expect(screen.queryByText('Não foi possível carregar.')).not.toBeInTheDocument()
})
