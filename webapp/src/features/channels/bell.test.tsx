import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { channel, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'
import { muteEnd } from '../../lib/mute'

const metro = channel({ id: 'c-metro', following: true })
const bell = (state: string) => screen.findByRole('button', { name: `Sino de Metro de Lisboa: ${state}` })
const choices = () => screen.findByRole('dialog', { name: 'Sino de Metro de Lisboa' })
const hours = (ahead: number) => new Date(Date.now() + ahead * 60 * 60 * 1000)

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [{ ...metro }]
  state.subscriptions = [subscription(ref(metro), { unreadCount: 3 })]
})

describe('the bell', () => {
  it.each(['/feed', '/feed?channel=metro%2Flinhas', '/channels', '/channels/metro/linhas'])(
    'of a followed channel is changed on %s',
    async (path) => {
      const { user } = renderApp(path)
      const [button] = await screen.findAllByRole('button', { name: 'Sino de Metro de Lisboa: Tocar sempre' })
      await user.click(button!)
      expect(within(await choices()).getByRole('button', { name: 'Tocar sempre' })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      await user.click(within(await choices()).getByRole('button', { name: 'Só o importante' }))
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
      expect(button).toHaveAccessibleName('Sino de Metro de Lisboa: Só o importante')
      await waitFor(() =>
        expect(actions).toEqual([{ call: 'PATCH /subscribers/channels/c-metro', body: { bell: 'important' } }]),
      )
    },
  )

  it('goes back when it could not be changed', async () => {
    server.use(http.patch(at('/subscribers/channels/:id'), () => problem(500)))
    const { user } = renderApp('/feed')
    await user.click(await bell('Tocar sempre'))
    await user.click(within(await choices()).getByRole('button', { name: 'Não tocar' }))
    expect(await screen.findByText('Não foi possível mudar o sino.')).toBeInTheDocument()
    expect(await bell('Tocar sempre')).toBeInTheDocument()
  })

  it('shows a mark beside the channel’s name where there is no room for the bell', async () => {
    state.subscriptions = [subscription(ref(metro), { bell: 'none' })]
    renderApp('/feed')
    expect(await screen.findByRole('link', { name: /Metro de Lisboa\s*Não tocar/ })).toBeInTheDocument()
  })
})

describe('silence', () => {
  it('is chosen for a while, and ended', async () => {
    const { user } = renderApp('/feed')
    await user.click(await bell('Tocar sempre'))
    await user.click(within(await choices()).getByRole('button', { name: /^Até de manhã/ }))
    expect(await bell('Silenciado até amanhã às 08:00')).toBeInTheDocument()
    await waitFor(() => expect(actions).toHaveLength(1))
    const { body } = actions[0] as { body: { mutedUntil: string } }
    expect(new Date(body.mutedUntil)).toEqual(muteEnd('morning'))

    await user.click(await bell('Silenciado até amanhã às 08:00'))
    expect(within(await choices()).getByText('Silenciado até amanhã às 08:00')).toBeInTheDocument()
    expect(within(await choices()).getByText('Depois')).toBeInTheDocument()
    await user.click(within(await choices()).getByRole('button', { name: 'Voltar a tocar' }))
    expect(await bell('Tocar sempre')).toBeInTheDocument()
    await waitFor(() => expect(actions.at(-1)?.body).toEqual({ mutedUntil: null }))
  })

  it('is taken back when it failed', async () => {
    server.use(http.patch(at('/subscribers/channels/:id'), () => problem(500)))
    const { user } = renderApp('/feed')
    await user.click(await bell('Tocar sempre'))
    await user.click(within(await choices()).getByRole('button', { name: /^1 semana/ }))
    expect(await screen.findByText('Não foi possível mudar o sino.')).toBeInTheDocument()
    expect(await bell('Tocar sempre')).toBeInTheDocument()
  })

  it('is gone once it is over', async () => {
    state.subscriptions = [subscription(ref(metro), { mutedUntil: hours(-1).toISOString() })]
    renderApp('/feed')
    expect(await bell('Tocar sempre')).toBeInTheDocument()
  })

  it('ends while one looks', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      state.subscriptions = [subscription(ref(metro), { bell: 'important', mutedUntil: hours(1).toISOString() })]
      renderApp('/feed')
      expect(await screen.findByRole('button', { name: /^Sino de Metro de Lisboa: Silenciado/ })).toBeInTheDocument()
      vi.setSystemTime(hours(2))
      vi.advanceTimersByTime(20_000)
      expect(await bell('Só o importante')).toBeInTheDocument()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not offered for a channel that does not ring', async () => {
    state.subscriptions = [subscription(ref(metro), { bell: 'none' })]
    const { user } = renderApp('/feed')
    await user.click(await bell('Não tocar'))
    expect(within(await choices()).queryByRole('heading', { name: 'Silenciar' })).not.toBeInTheDocument()
  })

  it.each([
    ['hour', '2026-11-21T23:30:00'],
    ['eightHours', '2026-11-22T06:30:00'],
    ['morning', '2026-11-22T08:00:00'],
    ['week', '2026-11-28T22:30:00'],
  ] as const)('for %s ends at %s', (mute, end) => {
    expect(muteEnd(mute, new Date('2026-11-21T22:30:00'))).toEqual(new Date(end))
  })
})
