import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { at, server, state } from '../../testing/server'

const minutes = (ahead: number) => new Date(Date.now() + ahead * 60_000).toISOString()
const now = () => screen.findByRole('region', { name: 'Agora' })

beforeEach(() => {
  followMetro()
  state.feed = Array.from({ length: 30 }, (_, at) =>
    item({ id: `n${at}`, title: `Aviso ${at}`, body: 'Um texto.', publishedAt: minutes(-at) }),
  )
})

describe('what comes first', () => {
  it('is important, however far down, and small', async () => {
    state.feed[25]!.importance = 'important'
    renderApp('/feed')
    const region = await now()
    expect(within(region).getByRole('button', { name: /Aviso 25/ })).toBeInTheDocument()
    expect(within(region).queryByText('Um texto.')).not.toBeInTheDocument()
    expect(screen.getAllByRole('article')[0]).toHaveTextContent('Aviso 25')
    expect(screen.getAllByText(/Aviso 25/), 'it is there once').toHaveLength(1)
  })

  it('is what is valid, until it is over', async () => {
    state.feed[3]!.expiresAt = minutes(1)
    renderApp('/feed')
    const region = await now()
    expect(await within(region).findByText(/^até às /)).toBeInTheDocument()
    vi.useFakeTimers({ now: Date.now() + 2 * 60_000, toFake: ['Date'] })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(within(region).getByText('já passou')).toBeInTheDocument()
    expect(within(region).getByRole('button', { name: /Aviso 3/ }), 'it stays').toBeInTheDocument()
    vi.useRealTimers()
  })

  it('holds nothing up that takes long, nor moves it then', async () => {
    state.feed[25]!.importance = 'important'
    let answer: (() => void) | undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    server.use(
      http.get(at('/subscribers/notifications'), async ({ request }) => {
        if (new URL(request.url).searchParams.has('important')) await answered
      }),
    )
    const { queryClient } = renderApp('/feed')
    expect(await screen.findByText('Aviso 0')).toBeInTheDocument()
    answer!()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByRole('region', { name: 'Agora' })).not.toBeInTheDocument()
  })

  it('is not asked for by somebody who has read what is not loaded', async () => {
    const asked: string[] = []
    for (const each of state.feed.slice(5)) each.readAt = minutes(0)
    server.events.on('request:start', ({ request }) => void asked.push(new URL(request.url).search))
    renderApp('/feed')
    await screen.findByText('Aviso 0')
    expect(asked.filter((search) => search.includes('important'))).toEqual([])
  })

  it('is nothing on an ordinary day', async () => {
    renderApp('/feed')
    await screen.findByText('Aviso 0')
    expect(screen.queryByRole('region', { name: 'Agora' })).not.toBeInTheDocument()
  })
})
