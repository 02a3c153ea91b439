import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { channel, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { state } from '../../testing/server'

const follow = (count: number) => {
  state.subscriber = subscriber()
  state.subscriptions = Array.from({ length: count }, (_, index) =>
    subscription(ref(channel({ slug: `c${index}`, name: `Canal ${index}` })), { unreadCount: index === 7 ? 3 : 0 }),
  )
}
const rail = async () => within(await screen.findByRole('navigation', { name: 'Canais que segue' }))

beforeEach(() => follow(300))

it('many channels followed are searched, by words without accents', async () => {
  state.subscriptions[299]!.channel.name = 'Água e saneamento'
  const { user } = renderApp('/feed')
  const channels = await rail()
  expect(channels.getAllByRole('link')).toHaveLength(301)
  const search = channels.getByRole('searchbox', { name: 'Procurar nos que segue' })
  await user.type(search, 'agua')
  expect(channels.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Tudo'),
    expect.stringContaining('Água e saneamento'),
  ])
  await user.type(search, 'xyz')
  expect(channels.getByText('Não segue nenhum canal com esse nome.')).toBeInTheDocument()
})

it('each tells how many are unread, and so does their sum', async () => {
  renderApp('/feed')
  const channels = await rail()
  const told = channels.getAllByText('3 por ler').map((count) => count.closest('a')?.textContent)
  expect(told).toEqual([expect.stringContaining('Tudo'), expect.stringContaining('Canal 7')])
})

it('few are seen at a glance, without a search', async () => {
  follow(3)
  renderApp('/feed')
  expect((await rail()).getAllByRole('link')).toHaveLength(4)
  expect(screen.queryByRole('searchbox')).not.toBeInTheDocument()
})
