import { screen, waitFor, within } from '@testing-library/react'
import { delay, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { installationId } from '../../lib/push/registration'
import { device, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const phone = () => device({ id: 'd1', name: 'Firefox no Android', lastSeenAt: '2020-01-01T00:00:00Z' })
const devices = () => screen.findByRole('region', { name: 'Dispositivos' })

beforeEach(() => {
  state.subscriber = subscriber()
  state.devices = [phone()]
})

describe('the devices', () => {
  it('begin with this one, which is turned off and not removed', async () => {
    state.devices = [phone(), device({ id: 'd2', name: 'Chrome no Linux', installationId: installationId() })]
    renderApp('/settings/devices')
    const [first, second] = await within(await devices()).findAllByRole('listitem')
    expect(first).toHaveTextContent('Chrome no Linux')
    expect(within(first!).getByText('Este dispositivo')).toBeInTheDocument()
    expect(within(first!).queryByRole('button', { name: /^Remover/ })).not.toBeInTheDocument()
    expect(second).toHaveTextContent(/Visto há [\d.]+ dias/)
    expect(screen.queryByRole('link', { name: 'Receber também neste dispositivo' })).not.toBeInTheDocument()
  })

  it('say since when they ring, or that they have not rung yet', async () => {
    state.devices = [phone(), device({ id: 'd2', name: 'Chrome no Linux', ringsSince: undefined })]
    renderApp('/settings/devices')
    const [first, second] = await within(await devices()).findAllByRole('listitem')
    expect(first).toHaveTextContent(/Toca desde 01\/01\/2026/)
    expect(second).toHaveTextContent('Ainda não tocou')
  })

  it('say when they showed something last, or that they have shown nothing for a week', async () => {
    const unshownSince = '2026-01-02T12:00:00Z'
    state.devices = [device({ shownAt: unshownSince }), device({ shownAt: '2026-01-01T00:00:00Z', unshownSince })]
    renderApp('/settings/devices')
    const [first, second] = await within(await devices()).findAllByRole('listitem')
    expect(first).toHaveTextContent('Mostrou notificações pela última vez em 02/01/2026')
    expect(second).toHaveTextContent(/Não mostra nada desde 02\/01\/2026/)
  })

  it('that have shown nothing for a week are told of in the feed, until one has seen it', async () => {
    const unshownSince = '2026-01-02T12:00:00Z'
    state.devices = [
      device({ ...phone(), unshownSince }),
      device({ name: 'Outro', unshownSince: new Date().toISOString() }),
    ]
    const { user, history } = renderApp('/feed')
    const notice = 'Firefox no Android não mostra notificações desde 02/01/2026.'
    await screen.findByRole('link', { name: notice })
    expect(screen.queryByText(/^Outro/)).not.toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: notice }))
    expect(history.location.pathname).toBe('/settings/devices')
    history.back()
    await user.click(await screen.findByRole('button', { name: 'Não avisar mais sobre Firefox no Android' }))
    expect(screen.queryByText(notice)).not.toBeInTheDocument()
  })

  it('lead to where this one is turned on, while it is not among them', async () => {
    const { user, history } = renderApp('/settings/devices')
    await user.click(await screen.findByRole('link', { name: 'Receber também neste dispositivo' }))
    expect(await screen.findByRole('region', { name: 'Notificações neste dispositivo' })).toBeInTheDocument()
    expect(history.location.pathname).toBe('/settings/notifications')
  })

  it('are sent a test', async () => {
    const { user } = renderApp('/settings/devices')
    await user.click(await screen.findByRole('button', { name: 'Enviar teste para Firefox no Android' }))
    expect(await screen.findByText('Teste enviado. Deve chegar dentro de instantes.')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'POST /subscribers/devices/d1/test', body: undefined }])
    expect(await screen.findByText('À espera de que o dispositivo o mostre…')).toBeInTheDocument()
    state.devices = [{ ...phone(), shownAt: new Date().toISOString() }]
    expect(await screen.findByText('O dispositivo mostrou o teste.', {}, { timeout: 5000 })).toBeInTheDocument()
  })

  it('are removed once it is confirmed', async () => {
    const { user } = renderApp('/settings/devices')
    await user.click(await screen.findByRole('button', { name: 'Remover Firefox no Android' }))
    const dialog = screen.getByRole('dialog', { name: 'Remover Firefox no Android?' })
    expect(actions).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Remover' }))
    expect(await screen.findByText('Nenhum dispositivo recebe notificações.')).toBeInTheDocument()
    expect(await screen.findByText('Dispositivo removido.')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'DELETE /subscribers/devices/d1', body: undefined }])
  })

  it('come back when they could not be removed', async () => {
    server.use(http.delete(at('/subscribers/devices/:id'), () => problem(500)))
    const { user } = renderApp('/settings/devices')
    await user.click(await screen.findByRole('button', { name: 'Remover Firefox no Android' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remover' }))
    expect(await screen.findByText('Não foi possível remover o dispositivo.')).toBeInTheDocument()
    expect(await screen.findByText('Firefox no Android')).toBeInTheDocument()
  })

  it('are renamed', async () => {
    const { user } = renderApp('/settings/devices')
    await user.click(await screen.findByRole('button', { name: 'Mudar o nome de Firefox no Android' }))
    const name = screen.getByRole('textbox', { name: 'Novo nome' })
    expect(name).toHaveFocus()
    await user.clear(name)
    expect(name).toHaveAccessibleDescription('Escreva um nome.')
    await user.type(name, 'O do quarto{Enter}')
    expect(await screen.findByText('O do quarto')).toBeInTheDocument()
    await waitFor(() =>
      expect(actions).toEqual([{ call: 'PATCH /subscribers/devices/d1', body: { name: 'O do quarto' } }]),
    )
  })

  it('keep their name when one thinks better of it, or it could not be changed', async () => {
    server.use(http.patch(at('/subscribers/devices/:id'), () => problem(500)))
    const { user } = renderApp('/settings/devices')
    const pencil = () => screen.findByRole('button', { name: 'Mudar o nome de Firefox no Android' })
    await user.click(await pencil())
    await user.keyboard('x{Escape}')
    await user.click(await pencil())
    await user.keyboard('!{Enter}')
    expect(await screen.findByText('Não foi possível mudar o nome do dispositivo.')).toBeInTheDocument()
    expect(await pencil()).toBeInTheDocument()
  })

  it('say that they load, and when they cannot be fetched', async () => {
    server.use(http.get(at('/subscribers/devices'), () => delay('infinite')))
    const { unmount } = renderApp('/settings/devices')
    expect(within(await devices()).getByText('A carregar…')).toBeInTheDocument()
    unmount()
    server.use(http.get(at('/subscribers/devices'), () => problem(500, 'Avaria.')))
    renderApp('/settings/devices')
    expect(await within(await devices()).findByText('Avaria.')).toBeInTheDocument()
  })
})
