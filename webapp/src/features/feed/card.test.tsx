import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followMetro, item, listening } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, live, state } from '../../testing/server'

beforeEach(followMetro)

describe('a notification', () => {
  it('shows markup as text', async () => {
    state.feed = [item({ title: '<img src=x onerror=alert(1)>', body: '<b>forte</b>' })]
    renderApp('/feed')
    expect(await screen.findByRole('button', { name: /<img src=x onerror/ })).toBeInTheDocument()
    expect(screen.getByText('<b>forte</b>')).toBeInTheDocument()
  })

  it('holds a long text back until it is asked for, and then shows it whole', async () => {
    const body = `Início. ${'muito '.repeat(3300)}fim.`
    state.feed = [item({ id: 'n1', body })]
    const { user } = renderApp('/feed')
    const more = await screen.findByRole('button', { name: 'Ler mais', expanded: false })
    expect(screen.getByText(/^Início/).textContent!.length).toBeLessThan(1000)
    await user.click(more)
    expect(screen.getByText(/^Início/)).toHaveTextContent(/fim\.$/)
    await waitFor(() => expect(actions.map(({ call }) => call)).toContain('POST /subscribers/notifications/n1/events'))
    await user.click(screen.getByRole('button', { name: 'Ler menos', expanded: true }))
    expect(screen.getByText(/^Início/)).not.toHaveTextContent(/fim\./)
  })

  it('loads pictures from this server rather than from publishers', async () => {
    const theirs = { image: 'http://example.com/i.png', icon: 'https://example.com/c.png' }
    const [image, icon, channelIcon] = ['i', 'c', 'm'].map((each) => `https://sininho.example/pictures/x/${each}`)
    const channel = { ...item().channel, icon: 'https://example.com/m.png', iconProxy: channelIcon }
    state.feed = [item({ ...theirs, imageProxy: image, iconProxy: icon }), item({ channel })]
    const { user } = renderApp('/feed')
    const cards = await screen.findAllByRole('article')
    const pictures = cards.map((card) => [...card.querySelectorAll('img')].map(({ src }) => src))
    expect(pictures).toEqual([[`${icon}?size=icon`, `${image}?size=thumbnail`], [`${channelIcon}?size=icon`]])
    await user.click(within(cards[0]!).getByRole('button', { name: /^Por ler/ }))
    expect(cards[0]!.querySelector(`img[src="${image}"]`), 'the picture itself, once it is open').toBeInTheDocument()
  })

  it('leaves no hole for an image that cannot be had, and initials for an icon', async () => {
    const image = 'https://example.com/i.png'
    state.feed = [item({ image, icon: 'https://example.com/c.png' })]
    renderApp('/feed')
    const card = await screen.findByRole('article')
    for (const each of card.querySelectorAll('img')) fireEvent.error(each)
    expect(card.querySelector('img')).not.toBeInTheDocument()
    expect(within(card).getByText('ML')).toBeInTheDocument()
    await listening()
    live.send('corrected', { ...state.feed[0]!, image: 'https://example.com/outra.png' })
    await waitFor(() => expect(card.querySelector('img[src$="outra.png"]')).toBeInTheDocument())
  })

  it('shows the relative time, and the whole date on hover', async () => {
    state.feed = [
      item({ publishedAt: new Date(Date.now() - 5 * 60_000).toISOString() }),
      item({ publishedAt: '2024-12-31T23:30:00Z' }),
    ]
    renderApp('/feed')
    const [fresh, old] = (await screen.findAllByRole('article')).map((card) => card.querySelector('time'))
    expect(fresh).toHaveTextContent('há 5 min')
    expect(old).toHaveTextContent('23:30')
    expect(old).toHaveAttribute('title', expect.stringMatching(/^terça-feira, 31 de dezembro de 2024.*23:30$/))
  })

  it('leads to the feed instead of to a page of ours that acts for the reader', async () => {
    const { origin } = location
    state.feed = [
      item({ id: 'n1', link: `${origin}/login/device?code=BCDF-GHJK` }),
      item({ link: `${origin}/channels` }),
    ]
    renderApp('/feed')
    expect(await screen.findByRole('link', { name: 'Abrir' })).toHaveAttribute('href', '/feed?notification=n1')
    expect(screen.getByRole('link', { name: `Abrir ${location.host}` })).toHaveAttribute('href', `${origin}/channels`)
  })

  it('opens links outside, and no address but http', async () => {
    state.feed = [item({ link: 'https://www.example.com/a' }), item({ link: 'javascript:alert(1)' })]
    renderApp('/feed')
    const link = await screen.findByRole('link', { name: 'Abrir example.com' })
    expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(screen.getAllByRole('link', { name: /^Abrir/ })).toHaveLength(1)
  })
})

describe('a text', () => {
  it('can be selected, and its addresses are links that open elsewhere', async () => {
    state.feed = [item({ id: 'n1', body: 'Veja https://example.com/a. Ou ana@example.com.' })]
    const { user } = renderApp('/feed')
    const link = await screen.findByRole('link', { name: 'https://example.com/a' })
    expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(screen.getByRole('link', { name: 'ana@example.com' })).toHaveAttribute('href', 'mailto:ana@example.com')
    vi.spyOn(globalThis, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection)
    await user.click(screen.getByRole('article'))
    expect(actions).toEqual([]) // the end of a selection opens nothing
    vi.restoreAllMocks()
    await user.click(screen.getByRole('article'))
    await waitFor(() => expect(actions.map(({ call }) => call)).toEqual(['POST /subscribers/notifications/n1/events']))
  })
})

it('a picture opens large, and closes', async () => {
  state.feed = [item({ title: 'Obras', image: 'https://example.com/i.png' })]
  const { user } = renderApp('/feed')
  await user.click(await screen.findByRole('button', { name: 'Ver a imagem de «Obras»' }))
  const large = await screen.findByRole('dialog', { name: 'Imagem de «Obras»' })
  await user.click(within(large).getByRole('button', { name: 'Fechar' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
