import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { env } from '../../env'
import { category, channel, notification, ref, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, live, problem, server, state } from '../../testing/server'

it('leads to the channels of each subject', async () => {
  state.categories = [category(), category({ slug: 'cidade', name: 'Cidade', channelCount: 1 })]
  renderApp('/')
  const subjects = within(await screen.findByRole('region', { name: 'O que há para seguir' }))
  expect(await subjects.findByRole('link', { name: /^Cidade\s*1 canal$/ })).toHaveAttribute(
    'href',
    '/channels?category=cidade',
  )
})

it('shows that the subjects load', async () => {
  server.use(http.get(at('/categories'), () => delay('infinite')))
  renderApp('/')
  expect(await screen.findByRole('region', { name: 'O que há para seguir' })).toHaveAttribute('aria-busy', 'true')
})

it('says that the subjects could not be fetched, and tries again', async () => {
  server.use(http.get(at('/categories'), () => problem(500, 'Avaria.')))
  const { user } = renderApp('/')
  const subjects = within(await screen.findByRole('region', { name: 'O que há para seguir' }))
  expect(await subjects.findByRole('alert')).toHaveTextContent('Avaria.')
  server.use(http.get(at('/categories'), () => HttpResponse.json({ data: [category()], meta: { total: 1 } })))
  await user.click(subjects.getByRole('button', { name: 'Tentar novamente' }))
  expect(await subjects.findByRole('link', { name: /Transportes/ })).toBeInTheDocument()
})

describe('the two doors', () => {
  afterEach(() => void (env().SIGN_UP = 'open'))

  it('show publishers how to publish, and where to try it and to read about it', async () => {
    const { user } = renderApp('/')
    const publishing = within(await screen.findByRole('region', { name: 'Tem algo para dizer?' }))
    expect(publishing.getByRole('link', { name: 'Experimentar' })).toHaveAttribute('href', '/demo')
    expect(publishing.getByRole('link', { name: 'Como publicar' })).toHaveAttribute('href', '/publicar')
    await user.click(publishing.getByRole('tab', { name: 'Go' }))
    expect(publishing.getByRole('region', { name: 'Código para Go' })).toHaveTextContent('client.Notifications.Publish')
    const footer = within(screen.getByRole('navigation', { name: 'Rodapé' }))
    expect(footer.getByRole('link', { name: 'Como publicar' })).toHaveAttribute('href', '/publicar')
    expect(footer.getByRole('link', { name: 'Documentação (em inglês)' })).toHaveAttribute('href', '/docs')
    expect(footer.getByRole('link', { name: 'Contrato da API' })).toHaveAttribute(
      'href',
      'http://localhost:8080/api/v1/openapi.json',
    )
  })

  it.each([
    ['open', undefined, 'Entrar', '/login'],
    ['invitation', undefined, 'Ir para a lista de espera', '/#lista-de-espera'],
    ['open', subscriber(), 'Ver as notificações', '/feed'],
  ] as const)('let readers in, with sign-up %s and person %o', async (signUp, person, name, href) => {
    env().SIGN_UP = signUp
    state.subscriber = person
    renderApp('/')
    const reading = within(await screen.findByRole('region', { name: 'Quer ficar a saber?' }))
    expect(reading.getByRole('link', { name: 'Ver os canais' })).toHaveAttribute('href', '/channels')
    expect(await reading.findByRole('link', { name })).toHaveAttribute('href', href)
  })

  it('mention no waiting list where anybody may sign up', async () => {
    renderApp('/')
    await screen.findByRole('region', { name: 'Quer ficar a saber?' })
    expect(document.body).not.toHaveTextContent(/lista de espera|convite/i)
    expect(document.querySelector('[href*="lista-de-espera"]')).toBeNull()
  })
})

describe('the latest public notifications', () => {
  const latest = () => screen.findByRole('region', { name: 'As últimas' })
  const titles = async () =>
    within(await latest())
      .getAllByRole('listitem')
      .map((item) => item.querySelector('time')!.parentElement!.nextElementSibling!.textContent)
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const metro = channel({ lastPublishedAt: minutesAgo(1) })
  const item = (title: string, minutes: number) =>
    notification({ channel: ref(metro), title, publishedAt: minutesAgo(minutes) })

  beforeEach(() => {
    state.channels = [metro]
    state.feed = [item('Segunda', 1), item('Primeira', 2)]
  })

  it('lead to their pages, and new ones arrive above them', async () => {
    renderApp('/')
    const link = within(await latest()).findByRole('link', { name: /Segunda/ })
    expect(await link).toHaveAttribute('href', `/channels/metro/linhas/${state.feed[0]!.id}`)
    expect(within(await latest()).getByText('há 1 min')).toBeInTheDocument()
    await within(await latest()).findByText('Ao vivo')
    act(() => live.send('notification', item('Terceira', 0)))
    await waitFor(async () => expect(await titles()).toEqual(['Terceira', 'Segunda', 'Primeira']))
    act(() => live.send('withdrawn', { id: state.feed[0]!.id, channelId: metro.id }))
    await waitFor(async () => expect(await titles()).toEqual(['Terceira', 'Primeira']))
  })

  it('are five at most', async () => {
    state.feed = Array.from({ length: 7 }, (_, index) => item(`N${index}`, index))
    renderApp('/')
    await within(await latest()).findByText('Ao vivo')
    expect(await titles()).toHaveLength(5)
    act(() => live.send('notification', item('Nova', 0)))
    await within(await latest()).findByText('Nova')
    expect(await titles()).toHaveLength(5)
  })

  it('stay in place while the reader points at them, and can be paused', async () => {
    const { user } = renderApp('/')
    await within(await latest()).findByText('Ao vivo')
    await user.hover(within(await latest()).getByText('Segunda'))
    act(() => live.send('notification', item('Terceira', 0)))
    expect(await titles()).toEqual(['Segunda', 'Primeira'])
    await user.click(within(await latest()).getByRole('button', { name: 'Parar de atualizar' }))
    await waitFor(async () => expect(await titles()).toEqual(['Terceira', 'Segunda', 'Primeira']))
    expect(within(await latest()).getByText('Em pausa')).toBeInTheDocument()
    await waitFor(() => expect(live.open.size).toBe(0))
    await user.click(within(await latest()).getByRole('button', { name: 'Voltar a atualizar' }))
    expect(await within(await latest()).findByText('Ao vivo')).toBeInTheDocument()
  })

  it('take no place where there are none', async () => {
    state.channels = []
    renderApp('/')
    await screen.findByRole('region', { name: 'Tem algo para dizer?' })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'As últimas' })).not.toBeInTheDocument())
  })
})
