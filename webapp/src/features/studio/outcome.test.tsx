import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { channel, notification, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, server, state } from '../../testing/server'

it('says what became of a notification, and why it failed or expired', async () => {
  const metro = channel()
  const sent = notification({ title: 'Linha azul' })
  const list = '/channels/metro/linhas/notifications'
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  server.use(
    http.get(at(list), ({ request }) => {
      const data = request.url.includes('scheduled=true') ? [] : [sent]
      return HttpResponse.json({ data, meta: { total: data.length } })
    }),
    http.get(at(`${list}/${sent.id}/deliveries`), () =>
      HttpResponse.json({
        targeted: 20,
        pending: 0,
        suppressed: { bell: 3, muted: 1 },
        accepted: 12,
        failed: { unavailable: 1, unregistered: 1 },
        expired: { unavailable: 2 },
        displayed: 9,
        opened: 4,
        finished: true,
      }),
    ),
  )
  const { user } = renderApp('/studio/metro/linhas')
  await user.click(await screen.findByRole('button', { name: /^Linha azul/ }))
  const outcome = within(await screen.findByRole('region', { name: 'O que aconteceu a «Linha azul»' }))
  expect(await outcome.findByText('entregues')).toBeInTheDocument()
  expect(outcome.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['12', '9', '4'])
  expect(outcome.getByText('4 dispositivos sem tocar, por escolha da pessoa.')).toBeInTheDocument()
  expect(outcome.getByText('1 dispositivo falhou: o serviço de envio não respondeu.')).toBeInTheDocument()
  expect(outcome.getByText('2 dispositivos falharam: o serviço de envio não respondeu.')).toBeInTheDocument()
  expect(outcome.getByText('1 dispositivo falhou: o dispositivo já não existe.')).toBeInTheDocument()
})
