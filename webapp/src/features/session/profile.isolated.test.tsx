import { screen, waitFor, within } from '@testing-library/react'
import { delay, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

// the tests must not depend on the machine's timezone
vi.mock('../../lib/timezones', async (original) => ({
  ...(await original<typeof import('../../lib/timezones')>()),
  deviceTimezone: () => 'Europe/Lisbon',
}))

const form = () => screen.findByRole('form', { name: 'Dados do perfil' })
const save = async () => within(await form()).getByRole('button', { name: 'Guardar' })
const name = () => screen.findByRole('textbox', { name: 'Nome' })

beforeEach(() => (state.subscriber = subscriber()))

describe('the profile', () => {
  it('is changed, and only changed fields are sent', async () => {
    const { user } = renderApp('/settings/profile')
    expect(await save()).toBeDisabled()
    await user.clear(await name())
    await user.type(await name(), '  Ana Maria ')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Língua' }), 'Português (Brasil)')
    await user.click(await save())
    expect(await screen.findByText('Perfil guardado.')).toBeInTheDocument()
    expect(screen.getByText('Ana Maria')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'PATCH /subscribers/me', body: { name: 'Ana Maria', locale: 'pt-BR' } }])
    expect(await save()).toBeDisabled()
  })

  it('offers the timezone of this device, and shows the time there', async () => {
    state.subscriber = subscriber({ timezone: 'America/Sao_Paulo' })
    const { user } = renderApp('/settings/profile')
    const timezone = await screen.findByRole('combobox', { name: 'Fuso horário' })
    expect(timezone).toHaveAccessibleDescription(/^Agora são \d\d:\d\d nesse fuso\.$/)
    await user.click(screen.getByRole('button', { name: 'Usar o deste dispositivo' }))
    expect(timezone).toHaveValue('Europe/Lisbon')
    expect(screen.queryByRole('button', { name: 'Usar o deste dispositivo' })).not.toBeInTheDocument()
    await user.click(await save())
    await waitFor(() => expect(actions[0]?.body).toEqual({ timezone: 'Europe/Lisbon' }))
  })

  it('cannot be without a name', async () => {
    const { user } = renderApp('/settings/profile')
    await user.clear(await name())
    expect(await name()).toHaveAccessibleDescription('Escreva um nome.')
    expect(await save()).toBeDisabled()
  })

  it('that was changed elsewhere is not overwritten but shown', async () => {
    const { user } = renderApp('/settings/profile')
    await user.type(await name(), '!')
    state.subscriber = subscriber({ name: 'Ana de outro lado' })
    state.version++
    await user.click(await save())
    expect(await screen.findByText(/Foi alterado noutro lugar entretanto/)).toBeInTheDocument()
    await waitFor(async () => expect(await name()).toHaveValue('Ana de outro lado'))
    expect(state.subscriber.name).toBe('Ana de outro lado')
  })

  it('that could not be saved is reverted, and the typed text stays', async () => {
    server.use(http.patch(at('/subscribers/me'), () => problem(500, 'Algo falhou no servidor.')))
    const { user } = renderApp('/settings/profile')
    await user.type(await name(), '!')
    await user.click(await save())
    expect(await screen.findByText('Algo falhou no servidor.')).toBeInTheDocument()
    expect(await screen.findByText('Ana Marques')).toBeInTheDocument()
    expect(await name()).toHaveValue('Ana Marques!')
  })

  it('shows that it loads', async () => {
    server.use(http.get(at('/subscribers/me'), () => delay('infinite')))
    renderApp('/settings/profile')
    const profile = await screen.findByRole('region', { name: 'Perfil' })
    expect(within(profile).getByText('A carregar…')).toBeInTheDocument()
  })

  it('says when it cannot be fetched, and tries again', async () => {
    server.use(http.get(at('/subscribers/me'), () => problem(500, 'Avaria.')))
    const { user } = renderApp('/settings/profile')
    const profile = await screen.findByRole('region', { name: 'Perfil' })
    expect(await within(profile).findByText('Avaria.')).toBeInTheDocument()
    server.resetHandlers()
    await user.click(within(profile).getByRole('button', { name: 'Tentar novamente' }))
    expect(await within(profile).findByText('ana@example.com')).toBeInTheDocument()
  })
})
