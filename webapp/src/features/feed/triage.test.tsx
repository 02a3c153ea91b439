import { screen, waitFor, within } from '@testing-library/react'
import { delay, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { cards, followMetro, item, listening } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server, state } from '../../testing/server'

beforeEach(followMetro)

describe('triage', () => {
  it('marks an opened notification as read at once', async () => {
    state.feed = [item({ id: 'n1' })]
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Por ler: Linha azul reaberta' }))
    expect(screen.getByRole('button', { name: 'Linha azul reaberta' })).toBeInTheDocument()
    await waitFor(() =>
      expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/n1/events', body: { type: 'opened' } }),
    )
  })

  it('reverts when marking as read fails', async () => {
    state.feed = [item({ id: 'n1' })]
    server.use(http.post(at('/subscribers/notifications/n1/events'), () => problem(500)))
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Por ler: Linha azul reaberta' }))
    expect(await screen.findByText('Não foi possível marcar como lida.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Por ler: Linha azul reaberta' })).toBeInTheDocument()
  })

  it('marks one as read and as unread by its menu, which the keyboard reaches', async () => {
    state.feed = [item({ id: 'n1' })]
    const { user } = renderApp('/feed')
    const options = await screen.findByRole('button', { name: 'Opções', description: /Linha azul reaberta/ })
    await user.click(options)
    expect(await screen.findByRole('menuitem', { name: 'Marcar como lida' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(await screen.findByRole('menuitem', { name: 'Arquivar' })).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    expect(options).toHaveFocus()
    await user.keyboard('{Enter}{Enter}')
    expect(await screen.findByRole('button', { name: 'Linha azul reaberta' })).toBeInTheDocument()
    await user.click(options)
    await user.click(await screen.findByRole('menuitem', { name: 'Marcar como não lida' }))
    expect(await screen.findByRole('button', { name: 'Por ler: Linha azul reaberta' })).toBeInTheDocument()
    expect(actions.map(({ body }) => body)).toEqual([{ read: true }, { read: false }])
  })

  it('archives one by its menu, and brings it back', async () => {
    state.feed = [item({ id: 'n1', title: 'A arquivar' }), item({ title: 'Fica' })]
    state.subscriptions[0]!.unreadCount = 2
    const { user } = renderApp('/feed')
    await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
    await user.click(await screen.findByRole('menuitem', { name: 'Arquivar' }))
    await waitFor(() => expect(screen.queryByText('A arquivar')).not.toBeInTheDocument())
    await user.click(await screen.findByRole('button', { name: 'Anular' }))
    expect(await screen.findByText('A arquivar')).toBeInTheDocument()
    const call = 'PATCH /subscribers/notifications/n1'
    expect(actions).toEqual([
      { call, body: { archived: true } },
      { call, body: { archived: false } },
    ])
  })

  it('shows what is brought back before anything is fetched, also when its event arrives first', async () => {
    state.feed = [item({ id: 'n1', title: 'A arquivar' }), item({ title: 'Fica' })]
    const { user } = renderApp('/feed')
    await listening()
    await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
    await user.click(await screen.findByRole('menuitem', { name: 'Arquivar' }))
    const undo = await screen.findByRole('button', { name: 'Anular' })
    server.use(http.get(at('/subscribers/notifications'), () => delay('infinite')))
    await user.click(undo)
    expect(await screen.findByText('A arquivar')).toBeInTheDocument()
    live.send('read', { notificationId: 'n1', readAt: null, archived: false })
    live.send('notification', item({ title: 'Depois' }))
    await screen.findByText('Depois')
    expect(screen.getByText('A arquivar')).toBeInTheDocument()
  })

  it('puts a notification back when archiving fails', async () => {
    state.feed = [item({ id: 'n1' })]
    server.use(http.patch(at('/subscribers/notifications/n1'), () => problem(500)))
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Opções' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Arquivar' }))
    expect(await screen.findByText('Não foi possível arquivar.')).toBeInTheDocument()
    expect(screen.getByText('Linha azul reaberta')).toBeInTheDocument()
  })

  it('puts back each of two that could not be archived, where it was', async () => {
    const at8 = (minute: number) => new Date(Date.UTC(2026, 0, 2, 8, minute)).toISOString()
    state.feed = ['Terceira', 'Segunda', 'Primeira'].map((title, index) =>
      item({ id: `n${index}`, title, publishedAt: at8(30 - index) }),
    )
    let refuse = () => undefined as void
    const held = new Promise<void>((resolve) => (refuse = resolve))
    server.use(http.patch(at('/subscribers/notifications/:id'), () => held.then(() => problem(500))))
    const { user } = renderApp('/feed')
    for (const left of [2, 1]) {
      await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
      await user.click(await screen.findByRole('menuitem', { name: 'Arquivar' }))
      await waitFor(() => expect(cards()).toHaveLength(left))
    }
    refuse()
    await waitFor(() => expect(cards()).toHaveLength(3))
    expect(cards().map((card) => within(card).getByRole('heading').textContent)).toEqual([
      expect.stringContaining('Terceira'),
      expect.stringContaining('Segunda'),
      expect.stringContaining('Primeira'),
    ])
  })

  it('moves the focus beside the removed notification', async () => {
    state.feed = [item({ id: 'n1', title: 'A arquivar' }), item({ title: 'Fica' })]
    const { user } = renderApp('/feed')
    await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
    await user.click(await screen.findByRole('menuitem', { name: 'Arquivar' }))
    await waitFor(() => expect(screen.queryByText('A arquivar')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: /Fica/ })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Marcar tudo como lido' }))
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })
})
