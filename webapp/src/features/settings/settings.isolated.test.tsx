import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accessToken, channel, ref, session, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

// the tests must not depend on the machine's timezone
vi.mock('../../lib/timezones', async (original) => ({
  ...(await original<typeof import('../../lib/timezones')>()),
  deviceTimezone: () => 'Europe/Lisbon',
}))

const section = (name: string) => screen.findByRole('region', { name })
const days = (ahead: number) => new Date(Date.now() + ahead * 24 * 60 * 60 * 1000)

beforeEach(() => (state.subscriber = subscriber()))

describe('the quiet hours', () => {
  const quiet = () => screen.findByRole('switch', { name: 'Usar horas de silêncio' })

  it('are switched on from ten to seven, and off again', async () => {
    const { user } = renderApp('/settings/notifications')
    expect(await quiet()).not.toBeChecked()
    await user.click(await quiet())
    expect(await screen.findByLabelText('Das')).toHaveValue('22:00')
    expect(screen.getByLabelText('Às')).toHaveValue('07:00')
    expect(screen.getByText('Silêncio das 22:00 às 07:00 do dia seguinte.')).toBeInTheDocument()
    expect(screen.getByText(/Pelo fuso horário de Lisboa/)).toBeInTheDocument()
    expect(screen.getByText(/vem num só resumo/)).toBeInTheDocument()
    await waitFor(() => expect(state.subscriber?.quietHours).toEqual({ start: '22:00', end: '07:00' }))
    await user.click(await quiet())
    expect(await quiet()).not.toBeChecked()
    await waitFor(() => expect(actions.at(-1)?.body).toEqual({ quietHours: null }))
    expect(screen.queryByLabelText('Das')).not.toBeInTheDocument()
  })

  it('are changed, and come back as they were when switched off and on', async () => {
    state.subscriber = subscriber({ quietHours: { start: '23:00', end: '06:00' } })
    const { user } = renderApp('/settings/notifications')
    await user.selectOptions(await screen.findByLabelText('Das'), '01:30')
    expect(await screen.findByText('Silêncio da 01:30 às 06:00.')).toBeInTheDocument()
    await user.click(await quiet())
    await user.click(await quiet())
    expect(await screen.findByLabelText('Das')).toHaveValue('01:30')
    await waitFor(() => expect(actions.at(-1)?.body).toEqual({ quietHours: { start: '01:30', end: '06:00' } }))
  })

  it('cannot end when they start, and may be other than half hours', async () => {
    state.subscriber = subscriber({ quietHours: { start: '23:15', end: '06:00' } })
    renderApp('/settings/notifications')
    const end = within(await screen.findByLabelText('Às'))
    expect(screen.getByLabelText('Das')).toHaveValue('23:15')
    expect(end.queryByRole('option', { name: '23:15' })).not.toBeInTheDocument()
    expect(end.getByRole('option', { name: '23:30' })).toBeEnabled()
    expect(within(screen.getByLabelText('Das')).getByRole('option', { name: '06:00' })).toBeDisabled()
  })

  it('say when this device is in another timezone, and take it', async () => {
    state.subscriber = subscriber({ timezone: 'America/Sao_Paulo', quietHours: { start: '22:00', end: '07:00' } })
    const { user } = renderApp('/settings/notifications')
    const quietHours = await section('Horas de silêncio')
    expect(await within(quietHours).findByText(/Pelo fuso horário de São Paulo \(UTC-3\)/)).toBeInTheDocument()
    await user.click(within(quietHours).getByRole('button', { name: 'Usar o deste dispositivo' }))
    expect(await within(quietHours).findByText(/Pelo fuso horário de Lisboa/)).toBeInTheDocument()
    expect(actions[0]?.body).toEqual({ timezone: 'Europe/Lisbon' })
  })

  it('that were changed elsewhere are shown, not overwritten', async () => {
    const { user } = renderApp('/settings/notifications')
    const before = await quiet()
    state.subscriber = subscriber({ quietHours: { start: '20:00', end: '08:00' } })
    state.version++
    await user.click(before)
    expect(await screen.findByText(/Foi alterado noutro lugar entretanto/)).toBeInTheDocument()
    await waitFor(() => expect(screen.getByLabelText('Das')).toHaveValue('20:00'))
  })
})

describe('the daily digest', () => {
  it('is explained while no channel is in it', async () => {
    state.subscriptions = [subscription(ref(channel()))]
    renderApp('/settings/notifications')
    const digest = await section('Resumo diário')
    expect(await within(digest).findByText(/Nenhum canal está no resumo/)).toBeInTheDocument()
    expect(within(digest).queryByLabelText('Hora do resumo')).not.toBeInTheDocument()
  })

  it('has an hour, and says when that is in quiet hours', async () => {
    state.subscriber = subscriber({ quietHours: { start: '22:00', end: '07:00' } })
    state.subscriptions = [subscription(ref(channel()), { bell: 'digest' })]
    const { user } = renderApp('/settings/notifications')
    const digest = within(await section('Resumo diário'))
    const hour = await digest.findByLabelText('Hora do resumo')
    expect(hour).toHaveValue('18:00')
    expect(digest.queryByText(/É nas horas de silêncio/)).not.toBeInTheDocument()
    await user.selectOptions(hour, '23:30')
    expect(
      await digest.findByText('É nas horas de silêncio: o resumo chega às 07:00, quando elas acabarem.'),
    ).toBeVisible()
    await waitFor(() => expect(state.subscriber?.digestAt).toBe('23:30'))
    expect(actions.map(({ body }) => body)).toEqual([{ digestAt: '23:30' }])
  })
})

describe('the bell of new channels', () => {
  it('is chosen; each choice is based on the version that the previous one left', async () => {
    const { user } = renderApp('/settings/notifications')
    const bells = await section('Sino de canais novos')
    expect(await within(bells).findByRole('radio', { name: 'Tocar sempre' })).toBeChecked()
    await user.click(within(bells).getByRole('radio', { name: 'Só o importante' }))
    await user.click(within(bells).getByRole('radio', { name: 'Não tocar' }))
    await waitFor(() => expect(state.subscriber?.bellDefault).toBe('none'))
    expect(within(bells).getByRole('radio', { name: 'Não tocar' })).toBeChecked()
    expect(actions.map(({ body }) => body)).toEqual([{ bellDefault: 'important' }, { bellDefault: 'none' }])
    expect(screen.queryByText(/Foi alterado noutro lugar/)).not.toBeInTheDocument()
  })

  it('goes back when it could not be changed', async () => {
    server.use(http.patch(at('/subscribers/me'), () => HttpResponse.error()))
    const { user } = renderApp('/settings/notifications')
    await user.click(await screen.findByRole('radio', { name: 'Não tocar' }))
    expect(await screen.findByText('Algo Correu mal!')).toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('radio', { name: 'Tocar sempre' })).toBeChecked())
  })
})

describe('the sessions', () => {
  const sessions = () => section('Sessões')

  it('are listed, this one first, with what they are recognized by', async () => {
    state.sessions = [
      session({ browser: 'Chrome', system: 'Android', lastSeenAt: days(-3).toISOString() }),
      session({ browser: undefined, system: undefined, network: undefined, lastSeenAt: days(-4).toISOString() }),
      session({ current: true }),
    ]
    renderApp('/settings/security')
    const [first, second, third] = await within(await sessions()).findAllByRole('listitem')
    expect(first).toHaveTextContent('Firefox no Linux Esta sessãoiniciada em 01/01/2026 · IP 203.0.113.7')
    expect(within(first!).queryByRole('button')).not.toBeInTheDocument()
    expect(second).toHaveTextContent('Chrome no Androidusada há 3 dias · iniciada em 01/01/2026 · IP 203.0.113.7')
    expect(third).toHaveTextContent(/^Navegadorusada há 4 dias · iniciada em 01\/01\/2026Terminar$/)
  })

  it('are ended once it is confirmed', async () => {
    state.sessions = [session({ current: true }), session({ id: 's1', browser: 'Safari', system: 'iOS' })]
    const { user } = renderApp('/settings/security')
    await user.click(await screen.findByRole('button', { name: 'Terminar Safari no iOS' }))
    const dialog = screen.getByRole('dialog', { name: 'Terminar «Safari no iOS»?' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }))
    expect(actions).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Terminar Safari no iOS' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Terminar' }))
    expect(await screen.findByText('Sessão terminada.')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'DELETE /subscribers/sessions/s1', body: undefined }])
    expect(screen.queryByText('Safari no iOS')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Terminar as outras sessões' })).not.toBeInTheDocument()
  })

  it('are ended all but this one', async () => {
    state.sessions = [session({ current: true }), session({ browser: 'Safari' }), session({ browser: 'Chrome' })]
    const { user } = renderApp('/settings/security')
    await user.click(await screen.findByRole('button', { name: 'Terminar as outras sessões' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Terminar as outras sessões' }))
    expect(await screen.findByText('As outras sessões terminaram.')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'DELETE /subscribers/sessions', body: undefined }])
    expect(within(await sessions()).getAllByRole('listitem')).toHaveLength(1)
  })

  it('come back when they could not be ended', async () => {
    state.sessions = [session({ current: true }), session({ browser: 'Safari', system: 'iOS' })]
    server.use(
      http.delete(at('/subscribers/sessions/:id'), () => problem(500)),
      http.delete(at('/subscribers/sessions'), () => problem(500)),
    )
    const { user } = renderApp('/settings/security')
    await user.click(await screen.findByRole('button', { name: 'Terminar Safari no iOS' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Terminar' }))
    expect(await screen.findByText('Não foi possível terminar a sessão.')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Terminar Safari no iOS' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Terminar as outras sessões' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Terminar as outras sessões' }))
    expect(await screen.findByText('Não foi possível terminar as outras sessões.')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Terminar Safari no iOS' })).toBeInTheDocument()
  })

  it('say that they load, and when they cannot be fetched', async () => {
    server.use(http.get(at('/subscribers/sessions'), () => delay('infinite')))
    const { unmount } = renderApp('/settings/security')
    expect(within(await sessions()).getByText('A carregar…')).toBeInTheDocument()
    unmount()
    server.use(http.get(at('/subscribers/sessions'), () => problem(500, 'Avaria.')))
    renderApp('/settings/security')
    expect(await within(await sessions()).findByText('Avaria.')).toBeInTheDocument()
  })
})

describe('the access tokens', () => {
  it('are listed with their distinguishing details', async () => {
    state.tokens = [
      accessToken({ name: 'cópia de segurança', hint: 'aaaa', lastUsedAt: days(-3).toISOString() }),
      accessToken({ name: 'antigo', hint: 'bbbb', scopes: ['read', 'publish'], expiresAt: '2026-02-03T12:00:00Z' }),
      accessToken({ name: 'novo', hint: 'cccc', scopes: ['publish'], expiresAt: '2999-02-03T12:00:00Z' }),
      accessToken({ name: 'leitor', hint: 'dddd', scopes: ['read'] }),
    ]
    renderApp('/settings/tokens')
    const [first, second, third, fourth] = await within(await section('Tokens de acesso')).findAllByRole('listitem')
    expect(first).toHaveTextContent('sna_live_…aaaa · acesso total · usado há 3 dias · válido até 01/01/2999')
    expect(second).toHaveTextContent('sna_live_…bbbb · leitura e publicação · nunca usadoexpirou em 03/02/2026')
    expect(third).toHaveTextContent('só publicação · nunca usado · válido até 03/02/2999')
    expect(fourth).toHaveTextContent('só leitura')
  })

  it('are made, and the secret is shown once', async () => {
    const { user } = renderApp('/settings/tokens')
    const tokens = await section('Tokens de acesso')
    expect(await within(tokens).findByText('Nenhum programa tem acesso')).toBeInTheDocument()
    await user.click(within(tokens).getByRole('button', { name: 'Criar token' }))
    await user.click(within(tokens).getByRole('button', { name: 'Criar token' }))
    const name = within(tokens).getByRole('textbox', { name: 'Nome' })
    expect(name).toHaveAccessibleDescription(expect.stringContaining('Escreva um nome.'))
    await user.type(name, 'portátil')
    await user.selectOptions(within(tokens).getByRole('combobox', { name: 'Poderá' }), 'Ler e publicar')
    await user.selectOptions(within(tokens).getByRole('combobox', { name: 'Válido por' }), '30 dias')
    await user.click(within(tokens).getByRole('button', { name: 'Criar token' }))
    const panel = await within(tokens).findByRole('group', { name: 'O token «portátil» está pronto' })
    expect(panel).toHaveFocus()
    const { body } = actions[0] as { body: { name: string; scopes: string[]; expiresAt: string } }
    expect(body.name).toBe('portátil')
    expect(body.scopes).toEqual(['read', 'publish'])
    expect(Math.abs(Date.parse(body.expiresAt) - days(30).getTime())).toBeLessThan(60_000)
    await user.click(within(panel).getByRole('button', { name: 'Copiar' }))
    expect(await navigator.clipboard.readText()).toBe('sna_live_segredo9f2c')
    await user.click(within(panel).getByRole('button', { name: 'Já o guardei' }))
    expect(screen.queryByText('sna_live_segredo9f2c')).not.toBeInTheDocument()
    expect(within(tokens).getByText('portátil')).toBeInTheDocument()
  })

  it('always expire, within a year', async () => {
    const { user } = renderApp('/settings/tokens')
    await user.click(await screen.findByRole('button', { name: 'Criar token' }))
    const expiry = within(screen.getByRole('form', { name: 'Novo token de acesso' })).getByRole('combobox', {
      name: 'Válido por',
    })
    expect(
      within(expiry)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['30 dias', '90 dias', '1 ano'])
  })

  it('that could not be created leave the typed text', async () => {
    server.use(http.post(at('/subscribers/access-tokens'), () => problem(500)))
    const { user } = renderApp('/settings/tokens')
    await user.click(await screen.findByRole('button', { name: 'Criar token' }))
    const form = screen.getByRole('form', { name: 'Novo token de acesso' })
    await user.type(within(form).getByRole('textbox', { name: 'Nome' }), 'portátil')
    await user.click(within(form).getByRole('button', { name: 'Criar token' }))
    expect(await screen.findByText('Não foi possível criar o token.')).toBeInTheDocument()
    expect(within(form).getByRole('textbox', { name: 'Nome' })).toHaveValue('portátil')
  })

  it('are revoked once it is confirmed', async () => {
    state.tokens = [accessToken({ id: 't1', name: 'portátil' })]
    const { user } = renderApp('/settings/tokens')
    await user.click(await screen.findByRole('button', { name: 'Revogar portátil' }))
    await user.click(
      within(screen.getByRole('dialog', { name: 'Revogar «portátil»?' })).getByRole('button', { name: 'Cancelar' }),
    )
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(actions).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Revogar portátil' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revogar' }))
    expect(await screen.findByText('Nenhum programa tem acesso')).toBeInTheDocument()
    expect(await screen.findByText('Token revogado.')).toBeInTheDocument()
    expect(actions).toEqual([{ call: 'DELETE /subscribers/access-tokens/t1', body: undefined }])
  })

  it('come back when they could not be revoked', async () => {
    state.tokens = [accessToken({ name: 'portátil' })]
    server.use(http.delete(at('/subscribers/access-tokens/:id'), () => problem(500)))
    const { user } = renderApp('/settings/tokens')
    await user.click(await screen.findByRole('button', { name: 'Revogar portátil' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revogar' }))
    expect(await screen.findByText('Não foi possível revogar o token.')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Revogar portátil' })).toBeInTheDocument()
  })

  it('say that they load, and when they cannot be fetched', async () => {
    server.use(http.get(at('/subscribers/access-tokens'), () => delay('infinite')))
    const { unmount } = renderApp('/settings/tokens')
    expect(within(await section('Tokens de acesso')).getByText('A carregar…')).toBeInTheDocument()
    unmount()
    server.use(http.get(at('/subscribers/access-tokens'), () => problem(500, 'Avaria.')))
    renderApp('/settings/tokens')
    expect(await within(await section('Tokens de acesso')).findByText('Avaria.')).toBeInTheDocument()
  })
})

describe('the address of the feed', () => {
  const part = async () => within(await section('Endereço do seu feed'))

  it('is made, shown once, replaced and deleted', async () => {
    const { user } = renderApp('/settings/data')
    await user.click(await (await part()).findByRole('button', { name: 'Criar endereço' }))
    const shown = await screen.findByRole('group', { name: 'Endereço do seu feed, em Atom' })
    expect(shown).toHaveFocus()
    expect(shown).toHaveTextContent('http://localhost:8080/feeds/snf_live_segredo9f2c.atom')
    await user.click(within(shown).getByRole('button', { name: 'Já o copiei' }))
    expect(screen.queryByText(/snf_live_segredo/)).not.toBeInTheDocument()
    expect(await (await part()).findByText('/feeds/snf_live_…9f2c')).toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Substituir endereço' }))
    const question = screen.getByRole('dialog', { name: 'Substituir o endereço do seu feed?' })
    await user.click(within(question).getByRole('button', { name: 'Substituir endereço' }))
    expect(await screen.findByText(/snf_live_segredo9f2c/)).toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Apagar endereço' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Apagar endereço' }))
    expect(await screen.findByText('Endereço apagado.')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Criar endereço' })).toBeInTheDocument()
    expect(screen.queryByText(/snf_live_segredo/)).not.toBeInTheDocument()
    expect(actions.map(({ call }) => call)).toEqual([
      'PUT /subscribers/feed-address',
      'PUT /subscribers/feed-address',
      'DELETE /subscribers/feed-address',
    ])
  })

  it('comes back when it could not be deleted', async () => {
    state.feedAddress = { hint: '9f2c', createdAt: '2026-11-21T12:00:00Z' }
    server.use(http.delete(at('/subscribers/feed-address'), () => problem(500)))
    const { user } = renderApp('/settings/data')
    await user.click(await screen.findByRole('button', { name: 'Apagar endereço' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Apagar endereço' }))
    expect(await screen.findByText('Não foi possível apagar o endereço.')).toBeInTheDocument()
    expect(await screen.findByText('/feeds/snf_live_…9f2c')).toBeInTheDocument()
  })

  it('says when it could not be made or fetched', async () => {
    server.use(http.put(at('/subscribers/feed-address'), () => problem(500)))
    const { user, unmount } = renderApp('/settings/data')
    await user.click(await screen.findByRole('button', { name: 'Criar endereço' }))
    expect(await screen.findByText('Não foi possível criar o endereço.')).toBeInTheDocument()
    unmount()
    server.use(http.get(at('/subscribers/feed-address'), () => problem(500, 'Avaria.')))
    renderApp('/settings/data')
    expect(await (await part()).findByText('Avaria.')).toBeInTheDocument()
  })
})

describe('the person’s data', () => {
  it('are saved as a file', async () => {
    const saved: { name: string; blob: Blob }[] = []
    let blob: Blob
    vi.stubGlobal(
      'URL',
      class extends URL {
        static override createObjectURL = (made: Blob) => ((blob = made), 'blob:made')
        static override revokeObjectURL = () => {}
      },
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, blob })
    })
    const { user } = renderApp('/settings/data')
    await user.click(await screen.findByRole('button', { name: 'Exportar os meus dados' }))
    expect(await screen.findByText('Os seus dados foram guardados neste dispositivo.')).toBeInTheDocument()
    expect(saved[0]?.name).toBe('sininho-os-meus-dados-2026-11-21.json')
    expect(JSON.parse(await saved[0]!.blob.text())).toMatchObject({ subscriber: { email: 'ana@example.com' } })
  })

  it('that could not be fetched say so', async () => {
    server.use(http.get(at('/subscribers/me/export'), () => problem(500)))
    const { user } = renderApp('/settings/data')
    await user.click(await screen.findByRole('button', { name: 'Exportar os meus dados' }))
    expect(await screen.findByText('Não foi possível exportar os seus dados.')).toBeInTheDocument()
  })
})

describe('deleting the account', () => {
  const ask = async (user: ReturnType<typeof renderApp>['user']) => {
    await user.click(await screen.findByRole('button', { name: 'Apagar a conta' }))
    return screen.findByRole('textbox', { name: 'Para confirmar, escreva «apagar»' })
  }
  const last = () => screen.getByRole('button', { name: 'Apagar para sempre' })

  it('lists the consequences, asks to type the word, and ends on the first screen, signed out', async () => {
    const { user, history } = renderApp('/settings/data')
    expect(await screen.findByText('os canais que segue e o que leu neles')).toBeInTheDocument()
    const word = await ask(user)
    expect(last()).toBeDisabled()
    await user.type(word, 'apaga')
    expect(last()).toBeDisabled()
    await user.type(word, 'r')
    await user.click(last())
    expect(await screen.findByText('A sua conta foi apagada.')).toBeInTheDocument()
    expect(await screen.findByRole('heading', { level: 1, name: /Siga o que importa/ })).toBeInTheDocument()
    expect(history.location.pathname).toBe('/')
    // the first screen has another one further down
    const header = () => within(screen.getByRole('navigation', { name: 'Principal' }))
    await waitFor(() => expect(header().getByRole('link', { name: 'Entrar' })).toBeInTheDocument())
    expect(actions).toEqual([{ call: 'DELETE /subscribers/me', body: undefined }])
  })

  it('can be left', async () => {
    const { user } = renderApp('/settings/data')
    await ask(user)
    await user.click(within(await section('Apagar a conta')).getByRole('button', { name: 'Cancelar' }))
    expect(screen.queryByRole('textbox', { name: /Para confirmar/ })).not.toBeInTheDocument()
    expect(actions).toEqual([])
  })

  it('shows why it is refused', async () => {
    const detail = 'É o único proprietário de: metro.'
    server.use(http.delete(at('/subscribers/me'), () => problem(409, detail, 'last_owner')))
    const { user } = renderApp('/settings/data')
    const word = await ask(user)
    await user.type(word, 'Apagar')
    await user.click(last())
    await waitFor(() => expect(word).toHaveAccessibleDescription(expect.stringContaining(detail)))
  })
})

it.each([
  ['profile', 'Perfil'],
  ['devices', 'Dispositivos'],
  ['tokens', 'Tokens de acesso'],
])('without a connection, %s says so', async (name, title) => {
  const { onlineManager } = await import('@tanstack/react-query')
  const { queryClient, history } = renderApp('/')
  await screen.findByRole('link', { name: 'Começar' })
  onlineManager.setOnline(false)
  try {
    history.push(`/settings/${name}`)
    expect(await within(await section(title)).findByText('Sem ligação.')).toBeInTheDocument()
  } finally {
    onlineManager.setOnline(true)
    queryClient.clear()
  }
})
