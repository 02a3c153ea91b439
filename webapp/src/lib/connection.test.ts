import { NetworkError } from '@sininho/sdk'
import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { suspectConnection } from './connection'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  onlineManager.setOnline(true)
})

const unreachable = () => Promise.reject(new NetworkError())

it('is kept while the server answers other requests', async () => {
  await suspectConnection(() => Promise.resolve({}))
  expect(onlineManager.isOnline()).toBe(true)
})

it('is lost when the server answers nothing, and back when it does; several suspicions ask once', async () => {
  const ask = vi.fn<() => Promise<object>>(unreachable)
  await Promise.all([suspectConnection(ask), suspectConnection(ask)])
  expect(onlineManager.isOnline()).toBe(false)
  expect(ask).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(ask).toHaveBeenCalledTimes(3)
  ask.mockResolvedValue({})
  await vi.advanceTimersByTimeAsync(4000)
  expect(onlineManager.isOnline()).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).toHaveBeenCalledTimes(4)
})
