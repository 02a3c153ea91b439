import type { Publisher } from '@sininho/sdk'
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { channel, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, record, server, state } from '../../testing/server'

const metro = channel({ keepDays: 90 })
const metroPath = '/metro/linhas'
const address = `/channels${metroPath}`

const publisher = (over: Partial<Publisher> = {}): Publisher => ({
  ...metro.publisher,
  description: '',
  channelCount: 1,
  role: 'owner',
  createdAt: metro.createdAt,
  ...over,
})
const take = () =>
  server.use(
    http.patch(at(address), async ({ request }) => {
      await record(request)
      return HttpResponse.json(metro)
    }),
  )
const open = async () => {
  const { user } = renderApp(`/studio${metroPath}/edit`)
  await user.click(await screen.findByRole('button', { name: 'Conservação' }))
  const form = await screen.findByRole('form', { name: 'Conservação das notificações' })
  const days = within(form).getByRole('textbox', { name: 'Dias' })
  const count = within(form).getByRole('textbox', { name: 'Número de notificações' })
  const save = () => user.click(within(form).getByRole('button', { name: 'Guardar' }))
  return { user, days, count, save }
}

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [publisher()]
  take()
})

describe('how much a channel keeps', () => {
  it('is for members of its publisher only', async () => {
    state.publishers = [publisher({ slug: 'vila' })]
    renderApp(`/studio${metroPath}/edit`)
    expect(await screen.findByText('Você Está Perdido??')).toBeInTheDocument()
  })

  it('shows what is set and the bounds, and is left to the installation by an empty field', async () => {
    state.publishers = [publisher({ role: 'editor' })]
    const { user, days, count, save } = await open()
    expect(days).toHaveFocus()
    expect(days).toHaveValue('90')
    expect(days).toHaveAccessibleDescription(/De 1 a 36\D500, a contar da publicação/)
    expect(count).toHaveValue('')
    await user.clear(days)
    await save()
    expect(await screen.findByText('Conservação guardada.')).toBeInTheDocument()
    expect(actions.at(-1)).toEqual({ call: `PATCH ${address}`, body: { keepDays: null, keepCount: null } })
    expect(screen.queryByRole('form', { name: 'Conservação das notificações' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Conservação' })).toHaveFocus()
  })

  it('asks before it becomes less', async () => {
    const { user, count, save } = await open()
    await user.type(count, '1.000')
    await save()
    const dialog = await screen.findByRole('dialog', { name: 'Conservar menos notificações?' })
    expect(actions).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Reduzir' }))
    await waitFor(() => expect(actions.at(-1)?.body).toEqual({ keepDays: 90, keepCount: 1000 }))
  })

  it('says at each field what is wrong', async () => {
    const { user, days, count, save } = await open()
    await user.clear(days)
    await user.type(days, '40000')
    await user.type(count, '0')
    await save()
    expect(days).toHaveAccessibleDescription(/Escreva um número de 1 a 36\D500, ou deixe em branco\./)
    expect(count).toHaveAccessibleDescription(/Escreva um número de 1 a 1\D000\D000\D000, ou deixe em branco\./)
    expect(actions).toEqual([])
  })

  it('shows the limit of the installation at the field until that changes', async () => {
    const errors = [{ pointer: '#/keepDays', code: 'maximum', detail: 'é maior do que 100, o limite desta instalação' }]
    const body = { type: 'about:blank', title: 'Pedido inválido', status: 422, code: 'invalid', requestId: 'r', errors }
    server.use(http.patch(at(address), () => HttpResponse.json(body, { status: 422 })))
    const { user, days, save } = await open()
    await user.clear(days)
    await user.type(days, '365')
    await save()
    await waitFor(() => expect(days).toHaveAccessibleDescription(/^É maior do que 100, o limite desta instalação\./))
    expect(days).toHaveFocus()
    await user.type(days, '{Backspace}')
    expect(days).not.toHaveAccessibleDescription(/o limite desta instalação/)
  })
})
