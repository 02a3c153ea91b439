import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { channel, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

const metro = channel({ name: 'Metro' })

beforeEach(() => {
  state.channels = [metro]
})

it('a visitor who wants to follow a channel signs in for it, and then follows it', async () => {
  const visit = renderApp('/channels')
  await visit.user.click(await screen.findByRole('link', { name: 'Seguir Metro' }))
  expect(await screen.findByText('Para seguir «Metro» e receber o que publicar.')).toBeInTheDocument()
  expect(actions).toEqual([])
  visit.unmount()
  state.subscriber = subscriber()
  const { unmount } = renderApp('/channels/metro/linhas')
  await waitFor(() =>
    expect(actions.map(({ call }) => call)).toEqual([`POST /subscribers/channels/${metro.id}/subscribe`]),
  )
  unmount()
  renderApp('/channels/metro/linhas')
  await screen.findByRole('heading', { level: 1, name: 'Metro' })
  expect(actions).toHaveLength(1)
})

it('unfollowing can be taken back', async () => {
  state.subscriber = subscriber()
  state.channels = [{ ...metro, following: true }]
  state.subscriptions = [subscription(ref(metro))]
  const { user } = renderApp('/channels/metro/linhas')
  await user.click(await screen.findByRole('button', { name: 'A seguir Metro: deixar de seguir' }))
  await user.click(await screen.findByRole('button', { name: 'Anular' }))
  await waitFor(() =>
    expect(actions.map(({ call }) => call)).toEqual([
      `POST /subscribers/channels/${metro.id}/unsubscribe`,
      `POST /subscribers/channels/${metro.id}/subscribe`,
    ]),
  )
})
