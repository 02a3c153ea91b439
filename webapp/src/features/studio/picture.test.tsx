import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { channel, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, record, server, state } from '../../testing/server'

const url = 'https://sininho.example.com/pictures/uploads/Yk3vQm0sT1aXc9RzLw8uBg'

function beginToWrite() {
  const metro = channel()
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  return renderApp('/studio/metro/linhas/write')
}

const file = new File(['png'], 'foto.png', { type: 'image/png' })

it('uploads what is pasted, and loses nothing that is written meanwhile', async () => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  server.use(
    http.post(at('/publishers/metro/pictures'), async ({ request }) => {
      expect(request.headers.get('Content-Type')).toBe('image/png')
      await arrived
      return HttpResponse.json({ url, width: 3, height: 2, storedBytes: 3 }, { status: 201 })
    }),
    http.post(at('/channels/metro/linhas/notifications'), async ({ request }) => {
      await record(request)
      return HttpResponse.json({}, { status: 503 })
    }),
  )
  const { user } = beginToWrite()
  const text = await screen.findByRole('textbox', { name: 'O que quer dizer?' })
  await user.type(text, 'Festa')
  fireEvent.paste(text, { clipboardData: { files: [file] } })
  expect(await screen.findByRole('group', { name: 'Imagem' })).toBeVisible()
  await user.type(text, ' de Natal')
  arrive()
  expect(await screen.findByRole('button', { name: 'Trocar' })).toBeEnabled()
  await user.click(screen.getByRole('button', { name: 'Publicar' }))
  await waitFor(() => expect(actions.at(-1)?.body).toMatchObject({ title: 'Festa de Natal', image: url }))
})

it('says why the server does not take a file', async () => {
  const detail = 'O ficheiro está danificado.'
  server.use(
    http.post(at('/publishers/metro/pictures'), () =>
      HttpResponse.json({ code: 'unreadable_picture', status: 422, title: 'Unprocessable', detail }, { status: 422 }),
    ),
  )
  beginToWrite()
  const text = await screen.findByRole('textbox', { name: 'O que quer dizer?' })
  fireEvent.drop(text, { dataTransfer: { files: [file] } })
  expect(await screen.findByText(detail)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Escolher imagem' })).toBeEnabled()
})
