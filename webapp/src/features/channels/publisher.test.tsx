import { screen, waitFor, within } from '@testing-library/react'
import type { Channel } from '@sininho/sdk'
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
    expect(screen.getByText('2').parentElement).toHaveTextContent(/^2 canais$/)
    expect(screen.getByText('120', { selector: 'strong' }).parentElement).toHaveTextContent(/^120 seguidores$/)
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

  it('shows the latest of all its channels, newest first', async () => {
    const [linhas, obras] = state.channels.map((each) => ({ ...each, lastPublishedAt: '2026-03-03T12:00:00Z' }))
    state.channels = [linhas!, obras!]
    const of = (each: Channel, day: number) =>
      notification({ channel: ref(each), title: `Dia ${day}`, publishedAt: `2026-03-0${day}T12:00:00Z` })
    state.feed = [of(obras!, 6), of(obras!, 3), of(obras!, 1), of(linhas!, 5), of(linhas!, 4), of(linhas!, 2)]
    renderApp('/channels/metro')
    const latest = await screen.findByRole('region', { name: 'Últimas de Metro' })
    const links = within(latest).getAllByRole('link')
    expect(links.map(({ textContent }) => /Dia \d/.exec(textContent)?.[0])).toEqual(
      [6, 5, 4, 3, 2].map((day) => `Dia ${day}`),
    )
    expect(links[0]).toHaveAttribute('href', expect.stringMatching(`^/channels/metro/obras/`))
  })

  it('that does not exist says so', async () => {
    renderApp('/channels/nada')
    expect(await screen.findByRole('heading', { level: 1, name: 'Este publicador não existe' })).toBeInTheDocument()
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
  it('over time are a plot and a table, which their number unfolds', async () => {
    const { user } = renderApp('/channels/metro/linhas')
    await user.click(await screen.findByRole('button', { name: '120 seguidores' }))
    const figure = await screen.findByRole('figure', { name: 'Seguidores por dia' })
    expect(within(figure).getByText('+30 em 6 dias')).toBeInTheDocument()
    expect(within(figure).getByText('A escala começa em 90.')).toBeInTheDocument()
    await user.click(within(figure).getByText('Ver os números'))
    expect(within(figure).getByText('Ocultar os números')).toBeInTheDocument()
    const rows = within(await within(figure).findByRole('table')).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'DiaSeguidores',
      '7 de março120',
      '6 de março115',
      '5 de março110',
      '4 de março105',
      '3 de março100',
      '2 de março95',
      '1 de março90',
    ])
  })

  it('that did not change say so', async () => {
    const data = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day: `2026-03-0${day}`, followers: 120 }))
    server.use(http.get(at('/channels/metro/linhas/followers'), () => HttpResponse.json({ data })))
    const { user } = renderApp('/channels/metro/linhas')
    await user.click(await screen.findByRole('button', { name: '120 seguidores' }))
    expect(await screen.findByText('Sem mudança em 6 dias')).toBeInTheDocument()
  })

  it('are a number alone in the first week', async () => {
    const data = [1, 2, 3, 4, 5, 6].map((day) => ({ day: `2026-03-0${day}`, followers: 120 }))
    const asked = vi.fn()
    server.use(http.get(at('/channels/metro/linhas/followers'), () => (asked(), HttpResponse.json({ data }))))
    renderApp('/channels/metro/linhas')
    await screen.findByText('120 seguidores')
    await waitFor(() => expect(asked).toHaveBeenCalled())
    await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    expect(screen.queryByRole('button', { name: '120 seguidores' })).not.toBeInTheDocument()
  })

  it('are a number alone where their history cannot be fetched, or there is none', async () => {
    server.use(http.get(at('/channels/metro/linhas/followers'), () => problem(404)))
    const { router } = renderApp('/channels/metro/linhas')
    await screen.findByText('120 seguidores')
    await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    expect(screen.queryByRole('button', { name: '120 seguidores' })).not.toBeInTheDocument()
    await router.navigate({
      to: '/channels/$publisherSlug/$channelSlug',
      params: { publisherSlug: 'metro', channelSlug: 'obras' },
    })
    await screen.findByRole('heading', { level: 1, name: 'Obras' })
    expect(screen.getByText('Novo')).toBeInTheDocument()
  })
})
