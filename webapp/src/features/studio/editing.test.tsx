import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { channel, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, record, server, state } from '../../testing/server'

it('sends only what was changed, so that what others have changed meanwhile stays', async () => {
  const metro = channel({ name: 'Metro de Lisboa', icon: 'https://metro.example/icon.png' })
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  server.use(
    http.patch(at('/channels/metro/linhas'), async ({ request }) => {
      await record(request)
      return HttpResponse.json(metro)
    }),
  )
  const { user } = renderApp('/studio/metro/linhas/edit')
  const name = await screen.findByRole('textbox', { name: 'Nome' })
  await user.clear(name)
  expect(name).toHaveAccessibleDescription(/Escreva um nome\./)
  await user.type(name, 'Metro')
  await user.click(screen.getByRole('button', { name: 'Tirar' }))
  await user.click(screen.getByRole('button', { name: 'Guardar' }))
  await waitFor(() => expect(actions.at(-1)?.body).toEqual({ name: 'Metro', icon: null }))
})
