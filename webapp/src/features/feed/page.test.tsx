import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, server, state } from '../../testing/server'

beforeEach(followMetro)

it('a notification of a list has its page at once, without a connection too', async () => {
  const id = '0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f'
  state.feed = [item({ id, title: 'Obras', body: 'A linha azul está fechada.' })]
  const { router } = renderApp('/feed')
  await screen.findByText('Obras')
  server.use(http.get(/notifications\/[^/]+$/, () => HttpResponse.error()))
  await router.navigate({ href: `/channels/metro/linhas/${id}` })
  expect(await screen.findByRole('heading', { level: 1, name: 'Obras' })).toBeInTheDocument()
  expect(screen.getByText('A linha azul está fechada.')).toBeInTheDocument()
})

it('a notification has a page, which can be shared', async () => {
  const id = '0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f'
  state.feed = [item({ id, title: 'Obras' })]
  const { user } = renderApp(`/channels/metro/linhas/${id}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Obras' })).toBeInTheDocument()
  await waitFor(() => expect(actions.map(({ call }) => call)).toContain(`POST /subscribers/notifications/${id}/events`))
  await user.click(screen.getByRole('button', { name: 'Partilhar' }))
  expect(await screen.findByText('Link copiado.')).toBeInTheDocument()
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/channels/metro/linhas/${id}`)
})
