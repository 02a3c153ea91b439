import type { Publisher } from '@sininho/sdk'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { env } from '../../env'
import { channel, id, invitation, subscriber } from '../../testing/factories'
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

  describe('where operators approve who publishes', () => {
    const request = {
      id: id(),
      asker: { id: id(), name: 'Ana', email: 'ana@example.com' },
      slug: 'escola-da-ponte',
      name: 'Escola da Ponte',
      reason: 'Avisos aos pais',
      status: 'pending' as string,
      createdAt: '2026-03-01T12:00:00Z',
    }
    const path = '/subscribers/publisher-request'
    const answers = (found?: object) =>
      server.use(http.get(at(path), () => (found ? HttpResponse.json(found) : problem(404))))

    beforeEach(() => {
      state.publishers = []
      Object.assign(env(), { PUBLISHERS: 'request' })
      server.use(http.get(at('/publishers/:slug'), () => problem(404)))
      answers()
    })

    it('ask for it, with an address that follows from the name', async () => {
      const bodies: unknown[] = []
      server.use(
        http.put(at(path), async ({ request: sent }) => {
          bodies.push(await sent.json())
          answers(request)
          return HttpResponse.json(request)
        }),
      )
      const { user } = renderApp('/new')
      await user.click(await screen.findByRole('button', { name: 'Enviar o pedido' }))
      const name = screen.getByRole('textbox', { name: 'Quem publica' })
      expect(name).toHaveAccessibleDescription(/Escreva um nome/)
      await user.type(name, 'Escola da Ponte')
      expect(screen.getByText(/\/channels\/escola-da-ponte$/)).toBeInTheDocument()
      await user.type(screen.getByRole('textbox', { name: 'Para quê?' }), 'Avisos aos pais')
      await user.click(screen.getByRole('button', { name: 'Enviar o pedido' }))
      expect(await screen.findByText('O pedido está a ser visto')).toBeInTheDocument()
      const { slug, reason } = request
      expect(bodies).toEqual([{ slug, name: 'Escola da Ponte', reason }])
      server.use(http.delete(at(path), () => new HttpResponse(null, { status: 204 })))
      answers()
      await user.click(screen.getByRole('button', { name: 'Anular o pedido' }))
      expect(await screen.findByRole('textbox', { name: 'Quem publica' })).toHaveValue('')
    })

    it('say that an address is taken, before and after it is sent', async () => {
      server.use(http.get(at('/publishers/metro'), () => HttpResponse.json(publisher())))
      const { user } = renderApp('/settings/publishing')
      await user.type(await screen.findByRole('textbox', { name: 'Quem publica' }), 'Metro')
      const address = await screen.findByRole('textbox', { name: 'Endereço' })
      await waitFor(() => expect(address).toHaveAccessibleDescription(/já existe/))
      await user.type(address, '-do-porto')
      await waitFor(() => expect(address).not.toHaveAccessibleDescription(/já existe/))
      server.use(http.put(at(path), () => problem(409, 'Existe.', 'slug_taken')))
      await user.click(screen.getByRole('button', { name: 'Enviar o pedido' }))
      await waitFor(() => expect(address).toHaveAccessibleDescription(/já existe/))
    })

    it('say why it was refused, and let one ask again', async () => {
      answers({ ...request, status: 'refused', answer: 'Escreva-nos primeiro' })
      const { user } = renderApp('/studio')
      expect(await screen.findByText(/A resposta: «Escreva-nos primeiro»$/)).toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: 'Pedir de novo' }))
      expect(screen.getByRole('textbox', { name: 'Quem publica' })).toHaveValue('Escola da Ponte')
      expect(screen.getByRole('textbox', { name: 'Endereço' })).toHaveValue('escola-da-ponte')
    })

    it('go on to the first channel when it is approved', async () => {
      answers(request)
      const { history, queryClient } = renderApp('/studio')
      await screen.findByText('O pedido está a ser visto')
      answers({ ...request, status: 'approved' })
      state.publishers = [publisher()]
      await queryClient.invalidateQueries({ queryKey: ['publisher-request'] })
      expect(await screen.findByRole('textbox', { name: 'Nome do canal' })).toBeInTheDocument()
      expect(history.location.pathname).toBe('/new')
    })
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
