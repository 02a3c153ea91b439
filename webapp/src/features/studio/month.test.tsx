import type { Plan } from '@sininho/sdk'
import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { channel, notification, subscriber, template } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, server, state } from '../../testing/server'

const metro = channel()

function arrange(...times: string[]) {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  const data = times.map((scheduledAt, index) =>
    notification({ title: `Aviso ${index + 1}`, publishedAt: undefined, scheduledAt }),
  )
  server.use(
    http.get(at('/channels/metro/linhas/notifications'), () =>
      HttpResponse.json({ data, meta: { total: data.length } }),
    ),
  )
}

it('shows the days of a month on which something goes out, and what', async () => {
  arrange('2099-12-24T09:00:00Z', '2099-12-24T18:00:00Z', '2100-01-06T09:00:00Z')
  const { user } = renderApp('/studio/metro/linhas/month')
  const table = within(await screen.findByRole('table', { name: 'dezembro de 2099' }))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent?.slice(1))).toEqual([
    'segunda-feira',
    'terça-feira',
    'quarta-feira',
    'quinta-feira',
    'sexta-feira',
    'sábado',
    'domingo',
  ])
  const day = table.getByRole('button', { name: '24 de dezembro de 2099: 2 notificações' })
  await user.click(day)
  expect(day).toHaveAttribute('aria-pressed', 'true')
  const due = within(screen.getByRole('region', { name: '24 de dezembro de 2099' }))
  expect(due.getByText('Aviso 2')).toBeInTheDocument()
  expect(due.getAllByRole('link', { name: 'Alterar' })).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Mês seguinte' }))
  expect(screen.getByRole('button', { name: '6 de janeiro de 2100: 1 notificação' })).toBeInTheDocument()
  expect(screen.queryByText('Aviso 2')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Mês seguinte' }))
  expect(screen.getByText('Nada sai neste mês.')).toBeInTheDocument()
})

it('shows what repeats on its days, and nothing before it is next', async () => {
  arrange('2099-12-24T09:00:00Z')
  const plan: Plan = { makes: 'notification', weekdays: ['friday'], time: '17:00', timezone: 'Europe/Lisbon' }
  state.templates = [{ ...template('Ementa', { title: 'Ementa' }), plan, nextAt: '2099-12-18T17:00:00Z' }]
  const { user } = renderApp('/studio/metro/linhas/month')
  const table = within(await screen.findByRole('table', { name: 'dezembro de 2099' }))
  await user.click(await table.findByRole('button', { name: '25 de dezembro de 2099: 1 notificação' }))
  const due = within(screen.getByRole('region', { name: '25 de dezembro de 2099' }))
  expect(due.getByText('Às sextas, às 17:00')).toBeInTheDocument()
  expect(table.getAllByRole('button')).toHaveLength(3)
})

it('opens the day of its address', async () => {
  arrange('2099-12-24T09:00:00Z', '2100-01-06T09:00:00Z')
  renderApp('/studio/metro/linhas/month?id=2100-01-06')
  expect(await screen.findByRole('region', { name: '6 de janeiro de 2100' })).toHaveTextContent('Aviso 2')
})
