import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { channel, notification, ref } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

const publisher = { id: 'p1', slug: 'metro', name: 'Metro', website: 'https://www.metro.example/linhas' }
const metro = () => channel({ publisher })

beforeEach(() => {
  state.channels = [
    metro(),
    channel({ slug: 'obras', name: 'Obras', publisher, subscriberCount: 0 }),
    channel({
      publisherSlug: 'ipma',
      slug: 'avisos',
      name: 'Tempo',
      publisher: { id: 'p2', slug: 'ipma', name: 'IPMA' },
    }),
  ]
})

describe('a publisher', () => {
  it('has a page for anyone, with its channels and its website', async () => {
    renderApp('/channels/metro')
    expect(await screen.findByRole('heading', { level: 1, name: 'Metro' })).toBeInTheDocument()
    expect(document.title).toBe('Metro · Sininho')
    expect(screen.getByText('Avisos da cidade')).toBeInTheDocument()
    expect(screen.getByText('2 canais · 120 seguidores')).toBeInTheDocument()
    const website = screen.getByRole('link', { name: /^metro\.example/ })
    expect(website).toHaveAttribute('href', 'https://www.metro.example/linhas')
    expect(website).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
    expect(await screen.findByRole('link', { name: 'Obras' })).toHaveAttribute('href', '/channels/metro/obras')
    expect(screen.queryByText('Tempo')).not.toBeInTheDocument()
    expect(screen.getByText('Novo')).toBeInTheDocument()
  })

  it('whose website is not https has no link to it', async () => {
    state.channels = [channel({ publisher: { ...publisher, website: 'http://metro.example' } })]
    renderApp('/channels/metro')
    await screen.findByRole('heading', { level: 1, name: 'Metro' })
    expect(screen.queryByRole('link', { name: /metro\.example/ })).not.toBeInTheDocument()
  })

  it('is reached from its channels and from what they published', async () => {
    state.feed = [notification({ id: '0199c2f4-7a10-7c3e-9f3d-00000000abcd', channel: ref(metro()) })]
    server.use(http.get(at('/channels/:publisher/:channel/notifications/:id'), () => HttpResponse.json(state.feed[0])))
    const { user } = renderApp('/channels/metro/linhas/0199c2f4-7a10-7c3e-9f3d-00000000abcd')
    await user.click(await screen.findByRole('link', { name: 'de Metro' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Metro' })).toBeInTheDocument()
    await user.click(await screen.findByRole('link', { name: 'Metro de Lisboa' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Metro de Lisboa' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'de Metro' })).toHaveAttribute('href', '/channels/metro')
  })

  it('folds a long description', async () => {
    server.use(
      http.get(at('/publishers/metro'), () =>
        HttpResponse.json({
          ...publisher,
          description: 'Linhas. '.repeat(60),
          channelCount: 0,
          createdAt: '2026-01-01',
        }),
      ),
    )
    state.channels = []
    const { user } = renderApp('/channels/metro')
    await user.click(await screen.findByRole('button', { name: 'Ler mais' }))
    expect(screen.getByRole('button', { name: 'Ler menos' })).toHaveAttribute('aria-expanded', 'true')
    expect(await screen.findByText('Ainda não tem canais')).toBeInTheDocument()
  })

  it('that does not exist is a plain Not Found', async () => {
    renderApp('/channels/nada')
    expect(await screen.findByRole('heading', { level: 1, name: 'Not Found' })).toBeInTheDocument()
    expect(screen.getByText('Este publicador não existe')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Ver todos os canais' })).toBeInTheDocument()
  })
})

describe('sharing', () => {
  it('a channel copies its address where there is no dialog for it', async () => {
    const { user } = renderApp('/channels/metro/linhas')
    await user.click(await screen.findByRole('button', { name: 'Partilhar' }))
    expect(await screen.findByText('Link copiado.')).toBeInTheDocument()
    expect(await navigator.clipboard.readText()).toBe('http://localhost:8080/channels/metro/linhas')
  })

  it('a publisher uses the dialog of the system', async () => {
    const share = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', Object.assign(navigator, { share }))
    const { user } = renderApp('/channels/metro')
    await user.click(await screen.findByRole('button', { name: 'Partilhar' }))
    await waitFor(() =>
      expect(share).toHaveBeenCalledWith({ title: 'Metro', url: 'http://localhost:8080/channels/metro' }),
    )
    delete (navigator as Partial<Navigator>).share
    vi.unstubAllGlobals()
  })
})

describe('the followers of a channel', () => {
  it('over time are a line, a plot and a table', async () => {
    const { user } = renderApp('/channels/metro/linhas')
    await user.click(await screen.findByText('+10 em 2 dias'))
    const figure = await screen.findByRole('figure', { name: 'Seguidores por dia' })
    await user.click(within(figure).getByText('Ver os números'))
    const rows = within(await within(figure).findByRole('table')).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'DiaSeguidores',
      '3 de março120',
      '2 de março115',
      '1 de março110',
    ])
  })

  it('that did not change say so', async () => {
    const data = ['01', '02', '03'].map((day) => ({ day: `2026-03-${day}`, followers: 120 }))
    server.use(http.get(at('/channels/metro/linhas/followers'), () => HttpResponse.json({ data })))
    renderApp('/channels/metro/linhas')
    expect(await screen.findByText('Sem mudança em 2 dias')).toBeInTheDocument()
  })

  it('are left out when they cannot be fetched, or there are none', async () => {
    server.use(http.get(at('/channels/metro/linhas/followers'), () => problem(404)))
    const { router } = renderApp('/channels/metro/linhas')
    await screen.findByRole('heading', { level: 1, name: 'Metro de Lisboa' })
    await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    expect(screen.queryByText('Seguidores')).not.toBeInTheDocument()
    await router.navigate({
      to: '/channels/$publisherSlug/$channelSlug',
      params: { publisherSlug: 'metro', channelSlug: 'obras' },
    })
    await screen.findByRole('heading', { level: 1, name: 'Obras' })
    expect(screen.queryByText('Seguidores')).not.toBeInTheDocument()
  })
})
