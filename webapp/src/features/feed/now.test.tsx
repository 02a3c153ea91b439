import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { state } from '../../testing/server'

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

  it('is nothing on an ordinary day', async () => {
    renderApp('/feed')
    await screen.findByText('Aviso 0')
    expect(screen.queryByRole('region', { name: 'Agora' })).not.toBeInTheDocument()
  })
})
