import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { channel, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const named = (count: number, over: Parameters<typeof channel>[0] = {}) =>
  Array.from({ length: count }, (_, index) => channel({ slug: `linha-${index}`, name: `Linha ${index}`, ...over }))
const followed = () => actions.filter(({ call }) => call.endsWith('/subscribe')).map(({ call }) => call.split('/')[3])
const left = () => actions.filter(({ call }) => call.endsWith('/unsubscribe')).map(({ call }) => call.split('/')[3])
const all = () => screen.findByRole('button', { name: 'Seguir todos' })

beforeEach(() => void (state.subscriber = subscriber()))

it('follows the public channels of a publisher that are not followed, and takes just these back', async () => {
  const fresh = named(3)
  state.channels = [
    ...fresh,
    channel({ slug: 'ja', name: 'Já', following: true }),
    channel({ slug: 'por-link', name: 'Por link', visibility: 'unlisted' }),
  ]
  const { user } = renderApp('/channels/metro')
  await user.click(await all())
  expect(await screen.findByText('Agora segue mais 3 canais.')).toBeInTheDocument()
  expect(followed()).toEqual(fresh.map(({ id }) => id))
  await user.click(screen.getByRole('button', { name: 'Anular' }))
  await waitFor(() => expect(left()).toEqual(fresh.map(({ id }) => id)))
})

it('is not offered where one follow button does the same, or all are followed', async () => {
  state.channels = [channel(), channel({ slug: 'obras', name: 'Obras', following: true })]
  renderApp('/channels/metro')
  await screen.findByRole('link', { name: 'Obras' })
  expect(screen.queryByRole('button', { name: 'Seguir todos' })).not.toBeInTheDocument()
})

it('follows no more than 60 of many by a click, and says that there are more', async () => {
  state.channels = named(130)
  const { user } = renderApp('/channels/metro')
  await user.click(await all())
  expect(
    await screen.findByText(/^Agora segue mais 60 canais\. Para os outros, carregue outra vez/),
  ).toBeInTheDocument()
  expect(followed()).toHaveLength(60)
})

it('says how many it could not follow', async () => {
  state.channels = named(3)
  const second = state.channels[1]!.id
  server.use(http.post(at(`/subscribers/channels/${second}/subscribe`), () => problem(500)))
  const { user } = renderApp('/channels/metro')
  await user.click(await all())
  expect(await screen.findByText('Agora segue mais 2 canais. Não foi possível seguir 1.')).toBeInTheDocument()
})

it('fails when it can follow none, without trying all', async () => {
  state.channels = named(20)
  let asked = 0
  server.use(http.post(at('/subscribers/channels/:id/subscribe'), () => (asked++, problem(409, 'Segue demasiados.'))))
  const { user } = renderApp('/channels/metro')
  await user.click(await all())
  expect(await screen.findByRole('alert')).toHaveTextContent('Não foi possível seguir todos os canais.')
  expect(asked).toBe(6)
})

it('leads visitors to sign in', async () => {
  state.subscriber = undefined
  state.channels = named(2)
  renderApp('/channels/metro')
  expect(await screen.findByRole('link', { name: 'Seguir todos' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Fchannels%2Fmetro',
  )
})
