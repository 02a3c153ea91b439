import type { Notification } from '@sininho/sdk'
import { screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { channel, notification, ref, subscriber, subscription } from './factories'
import { live, state } from './server'

export const metro = channel()

/** A notification of the followed channel. */
export const item = (over: Partial<Notification> = {}) => notification({ channel: ref(metro), ...over })

/** Signs in a person who follows one channel, of which something is unread. */
export function followMetro() {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.subscriptions = [subscription(ref(metro), { unreadCount: 1 })]
}

/** One of each part of the feed. */
export function fillParts() {
  const read = new Date().toISOString()
  state.feed = [
    item({ title: 'Urgente', importance: 'important', readAt: read }),
    item({ title: 'Nova' }),
    item({ title: 'Lida', readAt: read }),
    item({ id: 'velha', title: 'Velha', readAt: read, archivedAt: read }),
  ]
}

export const cards = () => screen.getAllByRole('article')
export const titles = () =>
  screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent)
export const listening = () => waitFor(() => expect(live.open.size).toBe(1))
