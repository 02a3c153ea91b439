import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { queued } from '../lib/query-client'
import { subscriber } from '../testing/factories'
import { keep, restoreData, restoreQueue } from './kept'
import { authQuery } from './session'

const name = 'sininho.kept'
const kept = () => localStorage.getItem(name) ?? ''

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** A client in which somebody is signed in, and what it has is kept. */
function signedIn() {
  const client = new QueryClient()
  const stop = keep(client)
  const auth = { caller: 'subscriber' as const, subscriber: subscriber(), signInMethods: [] }
  client.setQueryData(authQuery().queryKey, auth, { updatedAt: 1 })
  client.setQueryData(['subscriptions'], [], { updatedAt: 1 })
  return { client, stop }
}

const loaded = (client: QueryClient, slug: string, data: unknown, updatedAt: number) =>
  client.setQueryData(['channels', 'detail', 'metro', slug], data, { updatedAt })

it('keeps what was loaded, also after hours on other screens, for the next visit', () => {
  const { client, stop } = signedIn()
  loaded(client, 'linhas', { name: 'Linhas' }, 2)
  vi.advanceTimersByTime(10 * 60 * 60_000)
  loaded(client, 'obras', { name: 'Obras' }, 3)
  vi.advanceTimersByTime(1000)
  stop()
  const next = new QueryClient()
  restoreData(next)
  vi.advanceTimersByTime(60 * 60_000)
  expect(next.getQueryData(['channels', 'detail', 'metro', 'linhas'])).toEqual({ name: 'Linhas' })
  expect(next.getQueryData(['channels', 'detail', 'metro', 'obras'])).toEqual({ name: 'Obras' })
})

it('lets what was fetched longest ago go when there is too much, but not the session', () => {
  const { client } = signedIn()
  for (let count = 0; count < 200; count++) loaded(client, `canal-${count}`, { name: `Canal ${count}` }, 10 + count)
  vi.advanceTimersByTime(1000)
  expect(kept()).toContain('"caller":"subscriber"')
  expect(kept()).toContain('"Canal 199"')
  expect(kept()).not.toContain('"Canal 0"')
  expect(client.getQueryData(['channels', 'detail', 'metro', 'canal-0'])).toBeUndefined()
  expect((JSON.parse(kept()) as { queries: unknown[] }).queries).toHaveLength(150)
})

it('keeps no more than a browser has room for', () => {
  const { client } = signedIn()
  for (let count = 0; count < 4; count++) loaded(client, `canal-${count}`, `${count}`.repeat(500_000), 10 + count)
  vi.advanceTimersByTime(1000)
  expect(kept().length).toBeLessThan(1_600_000)
  expect(kept()).toContain('3'.repeat(100))
  expect(kept()).not.toContain('0'.repeat(100))
})

it('carries out what waits in a tab that is still open, or still closing, once it is closed', async () => {
  const waiting = {
    mutationKey: queued('mark').mutationKey,
    state: { status: 'pending', isPaused: true, variables: 'n1' },
  }
  localStorage.setItem('sininho.queue.other', JSON.stringify({ mutations: [waiting], queries: [] }))
  let close = () => {}
  const closed = new Promise<void>((resolve) => (close = resolve))
  const request = (_name: string, _options: LockOptions, run: () => Promise<void>) => closed.then(run)
  vi.stubGlobal('navigator', { ...navigator, locks: { request } })
  const client = new QueryClient()
  const mutationFn = vi.fn(() => Promise.resolve())
  client.setMutationDefaults(queued('mark').mutationKey, { ...queued('mark'), mutationFn })
  const stop = restoreQueue(client)
  await vi.advanceTimersByTimeAsync(1000)
  expect(mutationFn).not.toHaveBeenCalled()
  close()
  await vi.advanceTimersByTimeAsync(0)
  expect(mutationFn).toHaveBeenCalledExactlyOnceWith('n1', expect.anything())
  expect(localStorage.getItem('sininho.queue.other')).toBeNull()
  stop()
})
