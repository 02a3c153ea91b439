import type { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import type { AppRouter } from './router'

const asked = vi.hoisted(() => vi.fn())
vi.mock('../lib/idle', () => ({ whenIdle: (run: () => unknown) => asked(run()) }))
vi.mock('../routes/-below', () => ({}))
vi.mock('../lib/shell/keep', () => {
  throw new Error('as when the page is left meanwhile')
})

it('fails nowhere when the last part cannot be loaded', async () => {
  const { preloadScreens } = await import('./preloadScreens')
  const client = { ensureQueryData: () => Promise.resolve({ caller: 'visitor' }) } as unknown as QueryClient
  preloadScreens({ routesById: {} } as AppRouter, client)
  await expect(asked.mock.calls[0]![0]).resolves.toBeUndefined()
})
