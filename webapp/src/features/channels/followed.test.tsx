import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { channel, ref, subscriber, subscription } from '../../testing/factories'
import { listening } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { at, live, problem, server, state } from '../../testing/server'

const follow = (count: number) => {
  state.subscriber = subscriber()
  state.subscriptions = Array.from({ length: count }, (_, index) =>
    subscription(ref(channel({ slug: `c${index}`, name: `Canal ${index}` })), { unreadCount: index === 7 ? 3 : 0 }),
  )
}
const rail = async () => within(await screen.findByRole('navigation', { name: 'Canais que segue' }))
const filledRail = async () => {
  const channels = await rail()
  await channels.findByRole('link', { name: /^Todos os canais/ })
  return channels
}

beforeEach(() => follow(300))

it('many channels followed are searched, by words without accents', async () => {
  state.subscriptions[299]!.channel.name = 'Água e saneamento'
  const { user } = renderApp('/feed')
  const channels = await filledRail()
  expect(channels.getAllByRole('link')).toHaveLength(301)
  const search = channels.getByRole('searchbox', { name: 'Procurar nos que segue' })
  await user.type(search, 'agua')
  expect(channels.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Todos os canais'),
    expect.stringContaining('Água e saneamento'),
  ])
  await user.type(search, 'xyz')
  expect(channels.getByText('Não segue nenhum canal com esse nome.')).toBeInTheDocument()
})

it('each shows its unread count, and the sum is shown too', async () => {
  renderApp('/feed')
  const channels = await filledRail()
  const links = channels.getAllByText('3 por ler').map((count) => count.closest('a')?.textContent)
  expect(links).toEqual([expect.stringContaining('Todos os canais'), expect.stringContaining('Canal 7')])
})

it('few are seen at a glance, without a search', async () => {
  follow(3)
  renderApp('/feed')
  expect((await filledRail()).getAllByRole('link')).toHaveLength(4)
  expect(screen.queryByRole('searchbox', { name: 'Procurar nos que segue' })).not.toBeInTheDocument()
})

it('says so when no channel is followed', async () => {
  follow(0)
  renderApp('/feed')
  expect(await (await rail()).findByText('Ainda não segue nenhum canal.')).toBeInTheDocument()
})

it('reports a failure and retries', async () => {
  follow(3)
  server.use(http.get(at('/subscribers/channels'), () => problem(500, 'Algo falhou no servidor.')))
  const { user } = renderApp('/feed')
  const channels = await rail()
  expect(await channels.findByRole('alert')).toHaveTextContent('Algo falhou no servidor.')
  server.resetHandlers()
  await user.click(channels.getByRole('button', { name: 'Tentar novamente' }))
  expect(await channels.findByRole('link', { name: /Canal 2/ })).toBeInTheDocument()
})

it('has the channels with something unread first, and leaves them there while it is read', async () => {
  const [first, second, third] = ['Ar', 'Mar', 'Terra'].map((name) => channel({ name, slug: name.toLowerCase() }))
  state.subscriptions = [
    subscription(ref(first!), { unreadCount: 0 }),
    subscription(ref(second!), { unreadCount: 2 }),
    subscription(ref(third!), { unreadCount: 0 }),
  ]
  renderApp('/feed')
  const names = async () =>
    (await rail()).getAllByRole('link').map((link) => /Ar|Mar|Terra/.exec(link.textContent!)?.[0])
  await waitFor(async () => expect(await names()).toEqual([undefined, 'Mar', 'Ar', 'Terra']))
  await listening()
  state.subscriptions[1]!.unreadCount = 0
  live.send('read', { channelId: second!.id })
  await waitFor(async () => expect((await rail()).queryByText('2')).not.toBeInTheDocument())
  expect(await names()).toEqual([undefined, 'Mar', 'Ar', 'Terra'])
})
