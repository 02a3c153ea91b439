import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { channel, notification, ref, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, problem, server, state } from '../../testing/server'

const metro = channel()
const sent: { path: string; body: unknown }[] = []

beforeEach(() => {
  sent.length = 0
  state.channels = [metro]
  state.feed = [notification({ channel: ref(metro), title: 'Ganhe dinheiro' })]
  const take = async ({ request }: { request: Request }) => {
    sent.push({ path: new URL(request.url).pathname.replace('/api/v1', ''), body: await request.json() })
    return new HttpResponse(null, { status: 204 })
  }
  server.use(
    http.put(at('/channels/metro/linhas/report'), take),
    http.put(at('/channels/metro/linhas/notifications/:id/report'), take),
  )
})

describe('reporting', () => {
  it('a channel sends the chosen reason', async () => {
    const user = userEvent.setup()
    state.subscriber = subscriber()
    renderApp('/channels/metro/linhas')
    await user.click(await screen.findByRole('button', { name: 'Denunciar' }))
    const dialog = await screen.findByRole('dialog', { name: 'Denunciar o canal Metro de Lisboa' })
    await user.click(within(dialog).getByRole('radio', { name: 'É uma burla' }))
    await user.type(within(dialog).getByRole('textbox', { name: 'Conte mais (opcional)' }), 'Pede dados ')
    await user.click(within(dialog).getByRole('button', { name: 'Enviar a denúncia' }))
    expect(await screen.findByText('Denúncia enviada. Obrigado.')).toBeInTheDocument()
    expect(sent).toEqual([{ path: '/channels/metro/linhas/report', body: { category: 'fraud', text: 'Pede dados' } }])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('a notification needs a text for another reason', async () => {
    const user = userEvent.setup()
    state.subscriber = subscriber()
    renderApp('/channels/metro/linhas')
    await user.click(await screen.findByRole('button', { name: 'Opções' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Denunciar' }))
    const dialog = await screen.findByRole('dialog', { name: 'Denunciar a notificação' })
    await user.click(within(dialog).getByRole('radio', { name: 'Outra coisa' }))
    await user.click(within(dialog).getByRole('button', { name: 'Enviar a denúncia' }))
    expect(within(dialog).getByRole('alert')).toHaveTextContent('Escreva o que se passa.')
    await user.type(within(dialog).getByRole('textbox', { name: 'Conte o que se passa' }), 'x')
    await user.click(within(dialog).getByRole('button', { name: 'Enviar a denúncia' }))
    await waitFor(() =>
      expect(sent).toEqual([
        {
          path: `/channels/metro/linhas/notifications/${state.feed[0]?.id}/report`,
          body: { category: 'other', text: 'x' },
        },
      ]),
    )
  })

  it('shows why it failed', async () => {
    const user = userEvent.setup()
    state.subscriber = subscriber()
    server.use(http.put(at('/channels/metro/linhas/report'), () => problem(422, 'Tem 50 denúncias.', 'too_many')))
    renderApp('/channels/metro/linhas')
    await user.click(await screen.findByRole('button', { name: 'Denunciar' }))
    await user.click(await screen.findByRole('button', { name: 'Enviar a denúncia' }))
    expect(await screen.findByText('Tem 50 denúncias.')).toBeInTheDocument()
  })

  it('is not for visitors', async () => {
    const { user } = renderApp('/channels/metro/linhas')
    await screen.findByRole('heading', { name: 'Metro de Lisboa' })
    expect(screen.queryByRole('button', { name: 'Denunciar' })).not.toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Opções' }))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Partilhar'])
  })
})
