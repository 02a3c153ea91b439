import { screen, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { expect, it } from 'vitest'
import { category } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

it('leads to the channels of each subject', async () => {
  state.categories = [category(), category({ slug: 'cidade', name: 'Cidade', channelCount: 1 })]
  renderApp('/')
  const subjects = within(await screen.findByRole('region', { name: 'O que há para seguir' }))
  expect(await subjects.findByRole('link', { name: /^Cidade\s*1 canal$/ })).toHaveAttribute(
    'href',
    '/channels?category=cidade',
  )
})

it('shows that the subjects load', async () => {
  server.use(http.get(at('/categories'), () => delay('infinite')))
  renderApp('/')
  expect(await screen.findByRole('region', { name: 'O que há para seguir' })).toHaveAttribute('aria-busy', 'true')
})

it('says that the subjects could not be fetched, and tries again', async () => {
  server.use(http.get(at('/categories'), () => problem(500, 'Avaria.')))
  const { user } = renderApp('/')
  const subjects = within(await screen.findByRole('region', { name: 'O que há para seguir' }))
  expect(await subjects.findByRole('alert')).toHaveTextContent('Avaria.')
  server.use(http.get(at('/categories'), () => HttpResponse.json({ data: [category()], meta: { total: 1 } })))
  await user.click(subjects.getByRole('button', { name: 'Tentar novamente' }))
  expect(await subjects.findByRole('link', { name: /Transportes/ })).toBeInTheDocument()
})

it('shows publishers how to publish, and where to try it', async () => {
  renderApp('/')
  const publishing = within(await screen.findByRole('region', { name: 'Tem algo para dizer?' }))
  expect(publishing.getByRole('link', { name: 'Experimentar sem conta' })).toHaveAttribute('href', '/demo')
  expect(publishing.getByRole('region', { name: 'Código para Go' })).toHaveTextContent('client.Notifications.Publish')
  const footer = within(screen.getByRole('navigation', { name: 'Rodapé' }))
  expect(footer.getByRole('link', { name: 'Contrato da API' })).toHaveAttribute(
    'href',
    'http://localhost:8080/api/v1/openapi.json',
  )
})
