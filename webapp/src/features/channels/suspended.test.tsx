import { screen } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, it } from 'vitest'
import { channel, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

const hidden = () =>
  server.use(
    http.get(at('/channels/metro/linhas'), () => problem(404, 'Está suspenso.', 'suspended')),
    http.get(at('/channels/metro/linhas/notifications'), () => problem(404, 'Está suspenso.', 'suspended')),
  )

describe('a suspended channel', () => {
  it('says so to its readers, with no word of the reason', async () => {
    hidden()
    renderApp('/channels/metro/linhas')
    expect(await screen.findByRole('alert')).toHaveTextContent('Este canal está suspenso')
    expect(screen.getByRole('link', { name: 'Ver todos os canais' })).toBeInTheDocument()
    expect(screen.queryByText('Este canal não existe')).not.toBeInTheDocument()
  })

  it('is marked among the followed channels, and is empty in the feed', async () => {
    const metro = channel()
    state.subscriber = subscriber()
    state.subscriptions = [{ ...subscription(ref(metro)), suspended: true }]
    hidden()
    renderApp('/feed?channel=metro%2Flinhas')
    expect(await screen.findByRole('link', { name: /Metro de Lisboa · Suspenso/ })).toBeInTheDocument()
    expect(await screen.findByRole('alert')).toHaveTextContent('Este canal está suspenso')
  })

  it('shows its owner the reason, and cannot be followed or reported', async () => {
    state.subscriber = subscriber()
    state.channels = [channel({ suspension: { reason: 'Publica burlas', suspendedAt: '2026-03-01T12:00:00Z' } })]
    renderApp('/channels/metro/linhas')
    expect(await screen.findByText(/Motivo da suspensão: Publica burlas$/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /Seguir/ })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Denunciar' })).not.toBeInTheDocument()
  })
})

describe('a suspended account', () => {
  it('sees the reason when signing in', async () => {
    server.use(
      http.get(at('/auth'), () =>
        Response.json({
          caller: 'visitor',
          signInMethods: [{ kind: 'google', url: '/api/v1/auth/google' }],
          suspension: { reason: 'Envia spam', suspendedAt: '2026-03-01T12:00:00Z' },
        }),
      ),
    )
    renderApp('/login?error=suspended')
    expect(await screen.findByRole('alert')).toHaveTextContent('A sua conta está suspensa: Envia spam')
  })

  it('is told so even when the reason is gone', async () => {
    renderApp('/login?error=suspended')
    expect(await screen.findByRole('alert')).toHaveTextContent('A sua conta está suspensa.')
  })
})
