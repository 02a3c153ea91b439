import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { cards, followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

const path = () => `PATCH /subscribers/channels/${state.subscriptions[0]!.channel.id}`
const choose = async (user: ReturnType<typeof renderApp>['user'], name: string) => {
  await user.click((await within(cards()[0]!).findAllByRole('button', { name: 'Opções' }))[0]!)
  await user.click(await screen.findByRole('menuitem', { name }))
}

beforeEach(() => {
  localStorage.clear()
  followMetro()
  state.feed = [item({ title: 'Linha azul' })]
})

describe('in the menu of a notification its channel', () => {
  it('rings for what is important alone, and then is not offered that again', async () => {
    const { user } = renderApp('/feed')
    await screen.findByText('Linha azul')
    await choose(user, 'Só o importante')
    expect(await screen.findByText(/só toca com o que for importante/)).toBeInTheDocument()
    expect(actions).toContainEqual({ call: path(), body: { bell: 'important' } })
    await user.click(within(cards()[0]!).getByRole('button', { name: 'Opções' }))
    await screen.findByRole('menuitem', { name: 'Silenciar até…' })
    expect(screen.queryByRole('menuitem', { name: 'Só o importante' })).toBeNull()
  })

  it('is put in the daily digest, and that is undone', async () => {
    const { user } = renderApp('/feed')
    await screen.findByText('Linha azul')
    await choose(user, 'Juntar num resumo')
    expect(await screen.findByText(/vem num resumo por dia/)).toBeInTheDocument()
    expect(actions).toContainEqual({ call: path(), body: { bell: 'digest' } })
    await user.click(within(cards()[0]!).getByRole('button', { name: 'Opções' }))
    await screen.findByRole('menuitem', { name: 'Só o importante' })
    expect(screen.queryByRole('menuitem', { name: 'Juntar num resumo' })).toBeNull()
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Anular' }))
    await waitFor(() => expect(actions.at(-1)).toEqual({ call: path(), body: { bell: 'all', mutedUntil: null } }))
  })

  it('is muted until a time', async () => {
    const { user } = renderApp('/feed')
    await screen.findByText('Linha azul')
    await choose(user, 'Silenciar até…')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^1 hora/ }))
    expect(await screen.findByText(/não toca até/)).toBeInTheDocument()
    expect(actions).toContainEqual({ call: path(), body: { mutedUntil: expect.any(String) as string } })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is left, and followed again', async () => {
    const { user } = renderApp('/feed')
    await screen.findByText('Linha azul')
    await choose(user, 'Deixar de seguir')
    expect(await screen.findByText('Deixou de seguir o canal.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Anular' }))
    const { id } = state.channels[0]!
    await waitFor(() => expect(actions.at(-1)).toMatchObject({ call: `POST /subscribers/channels/${id}/subscribe` }))
  })
})

describe('a channel with ten unread notifications', () => {
  beforeEach(() => {
    state.feed = Array.from({ length: 10 }, (_, at) => item({ id: `n${at}`, title: `Aviso ${at}` }))
    state.subscriptions = [{ ...state.subscriptions[0]!, unreadCount: 10 }]
  })

  it('is asked about once', async () => {
    const { user, unmount } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: /10 por ler/ }))
    const question = within(await screen.findByRole('group', { name: /^10 por ler de .* É demais\?$/ }))
    await user.click(question.getByRole('button', { name: 'Está bem assim' }))
    expect(screen.queryByRole('group', { name: /É demais/ })).toBeNull()
    expect(actions).toEqual([])
    unmount()
    const again = renderApp('/feed')
    await again.user.click(await screen.findByRole('button', { name: /10 por ler/ }))
    await screen.findByText('Aviso 9')
    expect(screen.queryByRole('group', { name: /É demais/ })).toBeNull()
  })

  it.each([
    ['Só o importante', 'important'],
    ['Juntar num resumo', 'digest'],
  ])('rings less if the reader wants that: %s', async (name, bell) => {
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: /10 por ler/ }))
    const question = within(await screen.findByRole('group', { name: /É demais\?$/ }))
    await user.click(question.getByRole('button', { name }))
    await waitFor(() => expect(actions).toContainEqual({ call: path(), body: { bell } }))
  })

  it('is put in the daily digest from the menu of its group', async () => {
    const { user } = renderApp('/feed')
    await screen.findByRole('button', { name: /10 por ler/ })
    await choose(user, 'Juntar num resumo')
    await waitFor(() => expect(actions).toContainEqual({ call: path(), body: { bell: 'digest' } }))
  })
})
