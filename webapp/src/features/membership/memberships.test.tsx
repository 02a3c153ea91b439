import type { Publisher } from '@sininho/sdk'
import { screen, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { env } from '../../env'
import { channel, invitation, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

const linhas = channel()
const suspension = { reason: 'Publica burlas', suspendedAt: '2026-03-01T12:00:00Z' }
const publisher = (over: Partial<Publisher> = {}): Publisher => ({
  ...linhas.publisher,
  description: '',
  channelCount: 1,
  role: 'owner',
  createdAt: linhas.createdAt,
  ...over,
})

const pane = async () => within(await screen.findByRole('region', { name: 'Publicação' }))

beforeEach(() => {
  state.subscriber = subscriber()
  state.publishers = [publisher()]
  state.channels = [linhas]
})

afterEach(() => {
  env().PUBLISHERS = 'open'
  delete env().SUPPORT_URL
})

describe('the publishers of which one is a member', () => {
  it('are shown with the role and the channels', async () => {
    renderApp('/settings/publishing')
    const metro = await screen.findByRole('region', { name: linhas.publisher.name })
    expect(metro).toHaveTextContent('Responsável')
    const link = await within(metro).findByRole('link', { name: /^Metro de Lisboa/ })
    expect(link).toHaveAttribute('href', '/studio/metro/linhas')
    const write = within(metro).getByRole('link', { name: 'Escrever em Metro de Lisboa' })
    expect(write).toHaveAttribute('href', '/studio/metro/linhas/write')
    expect(link).not.toHaveTextContent('Suspenso')
  })

  it('say why a channel is suspended', async () => {
    state.channels = [channel({ suspension })]
    renderApp('/settings/publishing')
    expect(await (await pane()).findByRole('link', { name: /Suspenso: Publica burlas$/ })).toBeInTheDocument()
  })

  it('say once why a whole publisher is', async () => {
    state.publishers = [publisher({ role: 'editor', suspension })]
    state.channels = [channel({ suspension })]
    renderApp('/settings/publishing')
    const metro = await screen.findByRole('region', { name: linhas.publisher.name })
    await within(metro).findByRole('link')
    expect(within(metro).getAllByText('Suspenso: Publica burlas')).toHaveLength(1)
    expect(metro).toHaveTextContent('Pode publicar')
  })

  it('say how much they store, and what to do before it is too much', async () => {
    renderApp('/settings/publishing')
    const metro = await screen.findByRole('region', { name: linhas.publisher.name })
    expect(await within(metro).findByText('Ocupa 20 MB de 537 MB.')).toBeInTheDocument()
    server.use(
      http.get(at('/publishers/metro/storage'), () => HttpResponse.json({ usedBytes: 530e6, quotaBytes: 536_870_912 })),
    )
    renderApp('/settings/publishing')
    expect(await screen.findByText(/^Ocupa 530 MB de 537 MB. Quando encher, nada mais se publica/)).toBeInTheDocument()
  })

  it('may have no channels', async () => {
    state.channels = []
    renderApp('/settings/publishing')
    expect(await (await pane()).findByText('Ainda não tem canais.')).toBeInTheDocument()
  })

  it('come with the invitations, and with how to begin', async () => {
    state.publishers = []
    state.invitations = [invitation()]
    renderApp('/settings/publishing')
    expect(await (await pane()).findByRole('button', { name: /^Aceitar o convite/ })).toBeInTheDocument()
    expect((await pane()).getByText(/^Convite de /)).toBeInTheDocument()
    expect(await (await pane()).findByRole('link', { name: 'Criar um canal' })).toHaveAttribute('href', '/new')
  })

  it('are by invitation where only operators create publishers', async () => {
    state.publishers = []
    Object.assign(env(), { PUBLISHERS: 'invitation', SUPPORT_URL: 'mailto:ajuda@example.com' })
    for (const path of ['/settings/publishing', '/new']) {
      const { unmount } = renderApp(path)
      expect(await screen.findByText('Aqui publica quem for convidado')).toBeInTheDocument()
      const ask = screen.getByRole('link', { name: 'Pedir um convite' })
      expect(ask).toHaveAttribute('href', 'mailto:ajuda@example.com')
      expect(screen.queryByRole('link', { name: 'Criar um canal' })).not.toBeInTheDocument()
      unmount()
    }
    state.operator = true
    renderApp('/new')
    expect(await screen.findByRole('textbox', { name: 'Quem publica' })).toBeInTheDocument()
  })

  it('say that they load, and when they cannot be fetched', async () => {
    server.use(http.get(at('/publishers'), () => delay('infinite')))
    const { unmount } = renderApp('/settings/publishing')
    expect((await pane()).getByText('A carregar…')).toBeInTheDocument()
    unmount()
    server.use(http.get(at('/publishers'), () => problem(500, 'Avaria.')))
    renderApp('/settings/publishing')
    expect(await (await pane()).findByText('Avaria.')).toBeInTheDocument()
  })
})
