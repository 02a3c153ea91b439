import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { category, channel, notification, ref, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const metro = () => channel({ id: 'c-metro' })
const tempo = () =>
  channel({
    id: 'c-tempo',
    publisherSlug: 'ipma',
    slug: 'avisos',
    name: 'Tempo',
    publisher: { id: 'p2', slug: 'ipma', name: 'IPMA' },
    category: { id: 'k2', slug: 'cidade', name: 'Cidade' },
  })

/** Collects the queries of the requests to a path. */
function requested(path: string): string[] {
  const queries: string[] = []
  server.use(http.get(at(path), ({ request }) => void queries.push(new URL(request.url).search)))
  return queries
}

beforeEach(() => {
  state.categories = [category(), category({ id: 'k2', slug: 'cidade', name: 'Cidade' })]
  state.channels = [metro(), tempo()]
})

describe('browsing channels', () => {
  it('lists them to a visitor, with the way to sign in and follow them', async () => {
    renderApp('/channels')
    const follow = await screen.findByRole('link', { name: 'Seguir Metro de Lisboa' })
    expect(follow).toHaveAttribute('href', '/login?redirect=%2Fchannels%2Fmetro%2Flinhas')
    expect(screen.getByRole('link', { name: 'Tempo' })).toHaveAttribute('href', '/channels/ipma/avisos')
  })

  it('shows that it loads', async () => {
    server.use(http.get(at('/channels'), () => delay('infinite')))
    renderApp('/channels')
    expect(await screen.findByText('A carregar…')).toBeInTheDocument()
  })

  it('shows the error', async () => {
    server.use(http.get(at('/channels'), () => problem(500, 'Avaria.')))
    renderApp('/channels')
    expect(await screen.findByRole('alert')).toHaveTextContent('Avaria.')
  })

  it('says that there are none yet, where none is looked for', async () => {
    state.channels = []
    renderApp('/channels')
    expect(await screen.findByText('Ainda não há canais')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Limpar a procura' })).not.toBeInTheDocument()
  })

  it('searches by words, which stand in the address', async () => {
    const { user, history } = renderApp('/channels')
    await screen.findByText('Metro de Lisboa')
    await user.type(screen.getByRole('searchbox', { name: 'Procurar canais' }), 'tempo')
    await waitFor(() => expect(screen.queryByText('Metro de Lisboa')).not.toBeInTheDocument())
    expect(history.location.search).toBe('?q=tempo')
    expect(screen.getByText('Tempo')).toBeInTheDocument()
  })

  it('follows at a double click too, rather than taking it back', async () => {
    state.subscriber = subscriber()
    const { user } = renderApp('/channels')
    await user.dblClick((await screen.findAllByRole('button', { name: /^Seguir / }))[0]!)
    await waitFor(() => expect(actions.map(({ call }) => call)).toEqual([expect.stringMatching(/subscribe$/)]))
    expect((await screen.findAllByRole('button', { name: /^A seguir / })).length).toBeGreaterThan(0)
    expect(actions).toHaveLength(1)
  })

  it('filters by category', async () => {
    const { user } = renderApp('/channels')
    await screen.findByText('Metro de Lisboa')
    expect(screen.getByRole('link', { name: 'Todas' })).toHaveAttribute('aria-current', 'page')
    await user.click(await screen.findByRole('link', { name: 'Cidade' }))
    await waitFor(() => expect(screen.queryByText('Metro de Lisboa')).not.toBeInTheDocument())
    expect(screen.getByRole('link', { name: 'Cidade' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Todas' })).not.toHaveAttribute('aria-current')
  })

  it('lists them by the chosen order, which stands in the address beside the category', async () => {
    const asked = requested('/channels')
    const { user, history } = renderApp('/channels?category=cidade')
    await screen.findByText('Tempo')
    expect(screen.getByRole('link', { name: 'Populares' })).toHaveAttribute('aria-current', 'page')
    await user.click(screen.getByRole('link', { name: 'Em alta' }))
    expect(history.location.search).toBe('?category=cidade&sort=trending')
    await waitFor(() => expect(asked.at(-1)).toMatch(/category=cidade&sort=trending/))
    expect(screen.getByRole('link', { name: 'Em alta' })).toHaveAttribute('aria-current', 'page')
    await user.click(await screen.findByRole('link', { name: 'Todas' }))
    expect(history.location.search).toBe('?sort=trending')
  })

  it('offers no order while searching, which is by how well it fits', async () => {
    const asked = requested('/channels')
    const { user, history } = renderApp('/channels?sort=newest')
    await screen.findByText('Tempo')
    await user.type(screen.getByRole('searchbox'), 'tempo')
    await waitFor(() => expect(asked.at(-1)).toMatch(/q=tempo/))
    expect(asked.at(-1)).not.toMatch(/sort/)
    expect(screen.queryByRole('navigation', { name: 'Ordem' })).not.toBeInTheDocument()
    expect(history.location.search).toBe('?sort=newest&q=tempo')
    await user.clear(screen.getByRole('searchbox'))
    expect(await screen.findByRole('link', { name: 'Novos' })).toHaveAttribute('aria-current', 'page')
  })

  it('ignores orders that there are not', async () => {
    const asked = requested('/channels')
    renderApp('/channels?sort=mau')
    await screen.findByText('Tempo')
    expect(asked.at(-1)).not.toMatch(/sort/)
  })

  it('clears the search by the button in the field', async () => {
    const { user, history } = renderApp('/channels?q=tempo')
    const field = screen.findByRole('searchbox')
    await user.click(await screen.findByRole('button', { name: 'Limpar a procura' }))
    expect(await field).toHaveValue('')
    expect(await field).toHaveFocus()
    expect(await screen.findByText('Metro de Lisboa')).toBeInTheDocument()
    expect(history.location.search).toBe('')
  })

  it('marks in the names what was searched for, without regard to case and accents', async () => {
    state.channels = [channel({ name: 'Estação Metrópole' })]
    server.use(http.get(at('/channels'), () => HttpResponse.json({ data: state.channels, meta: { total: 1 } })))
    renderApp('/channels?q=METRO%20estacao')
    // the test library drops spaces at the ends of elements
    const name = await screen.findByRole('link', { name: /^Estação ?Metrópole$/ })
    expect(name).toHaveTextContent('Estação Metrópole')
    expect([...name.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Estação', 'Metró'])
  })

  it.each([
    ['its description', 'avaria', /^…que anda todos os dias: avarias e obras$/, 'avaria'],
    ['its category', 'transp', /^Categoria: Transportes · Diz/, 'Transp'],
    ['what it published', 'elevador', /^No que publicou · Diz/, undefined],
  ])('shows that %s has what was searched for', async (_what, q, text, marked) => {
    const description = 'Diz, a quem anda de metro, como está cada linha e é a que anda todos os dias: avarias e obras'
    state.channels = [channel({ description })]
    server.use(http.get(at('/channels'), () => HttpResponse.json({ data: state.channels, meta: { total: 1 } })))
    renderApp(`/channels?q=${q}`)
    await screen.findByText('Metro de Lisboa')
    const line = document.querySelector('li p[data-line-clamp]')!
    expect(line).toHaveTextContent(text)
    expect(line.querySelector('mark')?.textContent).toBe(marked)
  })

  it('shows the publishers that are found', async () => {
    renderApp('/channels?q=metro')
    const found = await screen.findByRole('navigation', { name: 'Quem publica' })
    expect(within(found).getByRole('link', { name: /^Metro/ })).toHaveAttribute('href', '/channels/metro')
    expect(within(found).getAllByRole('link')).toHaveLength(1)
  })

  it('calls a channel without followers new', async () => {
    state.channels = [channel({ name: 'Rádio', subscriberCount: 0 })]
    renderApp('/channels')
    expect(await screen.findByText('Novo')).toBeInTheDocument()
    expect(screen.queryByText(/0 seguidores/)).not.toBeInTheDocument()
  })

  it('searches in all categories when one has nothing', async () => {
    const { user } = renderApp('/channels?q=metro&category=cidade')
    await user.click(await screen.findByRole('link', { name: 'Procurar em todas as categorias' }))
    expect(await screen.findByRole('link', { name: /^Metro ?de Lisboa$/ })).toBeInTheDocument()
  })

  it('says when nothing is found, and clears the search', async () => {
    const { user } = renderApp('/channels?q=nada')
    await screen.findByText('Nenhum canal encontrado')
    await user.click(screen.getByRole('link', { name: 'Limpar a procura' }))
    expect(await screen.findByText('Metro de Lisboa')).toBeInTheDocument()
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })

  it('loads more', async () => {
    state.channels = Array.from({ length: 25 }, (_, index) => channel({ slug: `c${index}`, name: `Canal ${index}` }))
    const { user } = renderApp('/channels')
    await screen.findByText('Canal 19')
    await user.click(screen.getByRole('button', { name: 'Carregar mais' }))
    expect(await screen.findByText('Canal 24')).toBeInTheDocument()
  })
})

describe('following', () => {
  beforeEach(() => {
    state.subscriber = subscriber()
  })

  it('shows the change at once, before the server has responded', async () => {
    server.use(http.post(at('/subscribers/channels/:id/subscribe'), () => delay('infinite')))
    const { user } = renderApp('/channels')
    await user.click(await screen.findByRole('button', { name: 'Seguir Tempo' }))
    expect(await screen.findByRole('button', { name: 'A seguir Tempo: deixar de seguir' })).toBeInTheDocument()
    expect(screen.getByText(/121 seguidores/)).toBeInTheDocument()
  })

  it('follows and stops following', async () => {
    const { user } = renderApp('/channels')
    await user.click(await screen.findByRole('button', { name: 'Seguir Tempo' }))
    await user.click(await screen.findByRole('button', { name: 'A seguir Tempo: deixar de seguir' }))
    await screen.findByRole('button', { name: 'Seguir Tempo' })
    await waitFor(() =>
      expect(actions.map(({ call }) => call)).toEqual([
        'POST /subscribers/channels/c-tempo/subscribe',
        'POST /subscribers/channels/c-tempo/unsubscribe',
      ]),
    )
  })

  it('is taken back when it fails, and says so', async () => {
    server.use(http.post(at('/subscribers/channels/:id/subscribe'), () => problem(500)))
    const { user } = renderApp('/channels')
    await user.click(await screen.findByRole('button', { name: 'Seguir Tempo' }))
    expect(await screen.findByText('Não foi possível seguir o canal.')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Seguir Tempo' })).toBeInTheDocument()
  })
})

describe('a channel', () => {
  it('has a page for anyone, with its notifications', async () => {
    state.feed = [notification({ channel: ref(state.channels[0]!), title: 'Do metro' })]
    renderApp('/channels/metro/linhas')
    expect(await screen.findByRole('heading', { level: 1, name: 'Metro de Lisboa' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'de Metro' })).toHaveAttribute('href', '/channels/metro')
    expect(screen.getByRole('link', { name: 'Transportes' })).toHaveAttribute('href', '/channels?category=transportes')
    expect(await screen.findByRole('button', { name: 'Do metro' })).toBeInTheDocument()
    expect(document.title).toBe('Metro de Lisboa · Sininho')
  })

  it('that published nothing says so', async () => {
    renderApp('/channels/metro/linhas')
    expect(await screen.findByText('Este canal ainda não publicou nada')).toBeInTheDocument()
  })

  it('that does not exist says so, and leads to its publisher and to the others', async () => {
    renderApp('/channels/metro/nada')
    expect(await screen.findByRole('heading', { level: 1, name: 'Este canal não existe' })).toBeInTheDocument()
    expect(await screen.findByRole('link', { name: 'Ver os canais de Metro' })).toHaveAttribute(
      'href',
      '/channels/metro',
    )
    expect(screen.getByRole('link', { name: 'Ver todos os canais' })).toHaveAttribute('href', '/channels')
  })

  it('of a publisher that does not exist either leads to the others', async () => {
    renderApp('/channels/nada/nada')
    expect(await screen.findByRole('heading', { level: 1, name: 'Este canal não existe' })).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /^Ver os canais de/ })).not.toBeInTheDocument()
  })

  it('that cannot be fetched says why, with one button, and the navigation stays', async () => {
    state.subscriber = subscriber()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    server.use(http.get(at('/channels/:publisher/:channel'), () => problem(500, 'Avaria.')))
    const { user } = renderApp('/channels/metro/linhas')
    const panel = within(await screen.findByRole('alert'))
    expect(panel.getByRole('heading', { level: 1, name: 'Não foi possível carregar.' })).toBeInTheDocument()
    expect(panel.getByText('Avaria.')).toBeInTheDocument()
    expect(panel.getAllByRole('button')).toHaveLength(1)
    expect(await screen.findByRole('link', { name: 'Preferências' })).toBeInTheDocument()
    server.resetHandlers()
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Metro de Lisboa' })).toBeInTheDocument()
  })
})
