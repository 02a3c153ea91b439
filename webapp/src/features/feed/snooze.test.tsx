import { fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { fieldOf } from '../../lib/date-field'
import { followMetro, item, listening, titles } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server, state } from '../../testing/server'

beforeEach(followMetro)

const call = 'PATCH /subscribers/notifications/n1'
const tomorrow = () => {
  const date = new Date()
  date.setDate(date.getDate() + 1)
  date.setHours(8, 0, 0, 0)
  return date
}

type User = ReturnType<typeof renderApp>['user']

async function postpone(user: User, choice: RegExp) {
  await user.click((await screen.findAllByRole('button', { name: 'Opções' }))[0]!)
  await user.click(await screen.findByRole('menuitem', { name: 'Mais tarde' }))
  await user.click(await screen.findByRole('button', { name: choice }))
}

describe('what is postponed', () => {
  it('leaves for its own list, says until when, and the undo brings it back', async () => {
    state.feed = [item({ id: 'n1', title: 'A adiar' }), item({ title: 'Fica' })]
    const { user } = renderApp('/feed')
    await postpone(user, /^Amanhã de manhã/)
    await waitFor(() => expect(titles()).toEqual([expect.stringContaining('Fica')]))
    expect(screen.getByRole('button', { name: /Fica/ })).toHaveFocus()
    expect(await screen.findByText(/^Adiada até amanhã às 0?8:00\.$/)).toBeInTheDocument()
    expect(actions).toEqual([{ call, body: { snoozedUntil: tomorrow().toISOString() } }])
    await user.click(screen.getByRole('link', { name: 'Mais tarde' }))
    expect(await screen.findByText('A adiar')).toBeInTheDocument()
    expect(await screen.findByText(/^adiada até amanhã às 0?8:00$/)).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Anular' }))
    await waitFor(() => expect(actions).toContainEqual({ call, body: { snoozedUntil: null } }))
    await user.click(screen.getByRole('link', { name: 'Tudo' }))
    expect(await screen.findByText('A adiar')).toBeInTheDocument()
  })

  it('is brought back at once, and postponed again by the undo', async () => {
    const snoozedUntil = tomorrow().toISOString()
    state.feed = [item({ id: 'n1', title: 'Adiada', snoozedUntil })]
    const { user } = renderApp('/feed?part=snoozed')
    await user.click(await screen.findByRole('button', { name: 'Opções' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Trazer de volta' }))
    expect(await screen.findByText('Nada para mais tarde')).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Anular' }))
    await waitFor(() =>
      expect(actions).toEqual([
        { call, body: { snoozedUntil: null } },
        { call, body: { snoozedUntil } },
      ]),
    )
    expect(await screen.findByText('Adiada')).toBeInTheDocument()
  })

  it('may be until a date and time that are chosen, in the future', async () => {
    state.feed = [item({ id: 'n1' })]
    const { user } = renderApp('/feed')
    await postpone(user, /^Escolher data e hora/)
    const field = await screen.findByLabelText('Data e hora')
    expect(field).toHaveValue(fieldOf(tomorrow()))
    fireEvent.change(field, { target: { value: '2020-01-01T10:00' } })
    await user.click(screen.getByRole('button', { name: 'Adiar' }))
    expect(await screen.findByText('Escolha uma hora que ainda não passou.')).toBeInTheDocument()
    const later = tomorrow()
    later.setHours(17, 30)
    fireEvent.change(field, { target: { value: fieldOf(later) } })
    await user.click(screen.getByRole('button', { name: 'Adiar' }))
    await waitFor(() => expect(actions).toEqual([{ call, body: { snoozedUntil: later.toISOString() } }]))
  })

  it('returns to its place when the server refuses', async () => {
    state.feed = [item({ id: 'n1', title: 'A adiar' })]
    server.use(http.patch(at('/subscribers/notifications/n1'), () => problem(400)))
    const { user } = renderApp('/feed')
    await postpone(user, /^Amanhã de manhã/)
    expect(await screen.findByText('Não foi possível adiar.')).toBeInTheDocument()
    expect(await screen.findByText('A adiar')).toBeInTheDocument()
  })

  it('is put away by its key', async () => {
    state.feed = [item({ id: 'n1', title: 'A adiar' })]
    const { user } = renderApp('/feed')
    await screen.findByRole('button', { name: 'Atalhos do teclado' })
    await user.keyboard('jb')
    await user.click(await screen.findByRole('button', { name: /^Amanhã de manhã/ }))
    await waitFor(() => expect(titles()).toEqual([]))
  })

  it('leaves here when postponed on another device, and is announced when its time has come', async () => {
    state.feed = [item({ id: 'n1', title: 'Adiada', readAt: new Date().toISOString() })]
    renderApp('/feed')
    await screen.findByText('Adiada')
    await listening()
    state.feed[0]!.snoozedUntil = tomorrow().toISOString()
    live.send('read', { notificationId: 'n1', readAt: null, archived: true, snoozedUntil: tomorrow().toISOString() })
    await waitFor(() => expect(titles()).toEqual([]))
    state.feed = [item({ id: 'n1', title: 'Adiada' })]
    server.use(http.get(at('/subscribers/notifications/n1'), () => HttpResponse.json(state.feed[0])))
    live.send('read', { notificationId: 'n1', archived: false, returned: true })
    await waitFor(() => expect(titles()).toEqual([expect.stringContaining('Por ler: Adiada')]))
    expect(await screen.findByRole('link', { name: 'Abrir' })).toBeInTheDocument()
  })
})
