import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { channel, notification, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, server, state } from '../../testing/server'

const metro = channel()
const nothing = {
  pending: 0,
  suppressed: {},
  failed: {},
  expired: {},
  accepted: 0,
  displayed: 0,
  opened: 0,
  targeted: 0,
}
const audience = { followers: 412, ringing: 318, ringingImportant: 340, estimated: false }

function arrange(over: object = {}) {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  server.use(
    http.get(at('/channels/metro/linhas/deliveries'), () =>
      HttpResponse.json({
        from: '2026-03-01T00:00:00Z',
        until: '2026-03-03T12:00:00Z',
        interval: 'day',
        total: { ...nothing, notifications: 1 },
        data: [],
        audience,
        ...over,
      }),
    ),
  )
}

it('says how many hear what is written, and how many if it is important', async () => {
  arrange()
  const { user } = renderApp('/studio/metro/linhas/write')
  expect(await screen.findByText('412 pessoas, 318 tocam')).toBeInTheDocument()
  await user.click(screen.getByRole('switch', { name: /^Importante/ }))
  expect(screen.getByText('412 pessoas, 340 tocam')).toBeInTheDocument()
})

it('rounds an estimate', async () => {
  arrange({ audience: { followers: 123_456, ringing: 98_765, ringingImportant: 99_999, estimated: true } })
  renderApp('/studio/metro/linhas/write')
  expect(await screen.findByText(/^123\s?456 pessoas, cerca de 99\s?000 tocam$/)).toBeInTheDocument()
})

it('says that nobody follows the channel', async () => {
  arrange({ audience: { followers: 0, ringing: 0, ringingImportant: 0, estimated: false } })
  renderApp('/studio/metro/linhas/write')
  expect(await screen.findByText('Ainda ninguém segue este canal.')).toBeInTheDocument()
})

it('shows what became of the pushes, by cause, and what was opened most', async () => {
  const counts = {
    ...nothing,
    notifications: 1,
    targeted: 9,
    accepted: 5,
    suppressed: { muted: 3 },
    failed: { quota: 1 },
  }
  arrange({ total: counts, data: [{ at: '2026-03-02T00:00:00Z', counts }] })
  const [most, none] = [notification({ title: 'Greve amanhã' }), notification({ title: 'Obras' })]
  state.feed = [none, most]
  server.use(
    http.get(at('/channels/metro/linhas/notifications/:id/deliveries'), ({ params }) =>
      HttpResponse.json({ ...nothing, finished: true, ...(params.id === most.id && { opened: 4, displayed: 9 }) }),
    ),
  )
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (saved.push(blob as Blob), 'blob:x'))
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const { user } = renderApp('/studio/metro/linhas/numbers')
  const now = within(await screen.findByRole('region', { name: 'Agora' }))
  expect(now.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['412', '318', '340'])
  expect(await screen.findByRole('figure', { name: 'Envios por dia' })).toHaveTextContent('Entregues · Total: 5')
  const why = within(screen.getByRole('region', { name: 'Porque não chegaram ou não tocaram' }))
  expect(why.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'a pessoa silenciou o canal3 dispositivos',
    'o serviço de envio atingiu o limite1 dispositivo',
  ])
  const opened = within(await screen.findByRole('region', { name: 'As mais abertas' }))
  expect(opened.getAllByRole('listitem')).toHaveLength(1)
  expect(opened.getByText('4 pessoas abriram, de 9 que a viram')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Guardar em CSV: Envios por dia' }))
  await user.click(screen.getByRole('button', { name: 'Guardar em CSV: Seguidores por dia' }))
  const [pushes, followers] = await Promise.all(saved.map((file) => file.text()))
  expect(pushes).toContain('2026-03-02,1,9,5,0,0,0,3,1\r\n')
  expect(followers).toContain('2026-03-07,120\r\n')
  vi.restoreAllMocks()
})
