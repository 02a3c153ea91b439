import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

beforeEach(followMetro)

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
