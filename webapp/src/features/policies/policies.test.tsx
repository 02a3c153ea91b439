import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'
import { env } from '../../env'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { server, state } from '../../testing/server'

afterEach(() => {
  delete env().PRIVACY
  delete env().TERMS
})

const serve = (title: string, html: string) =>
  server.use(http.get('/privacy.json', () => HttpResponse.json({ title, html })))

describe('a text of the operator', () => {
  it('has its own title, headings, lists and links', async () => {
    env().PRIVACY = '/privacy'
    serve('Os seus dados', '<p>Veja as <a href="/terms">regras</a>.</p><h2>Direitos</h2><ol><li>Levar</li></ol>')
    renderApp('/privacy')
    expect(await screen.findByRole('heading', { level: 1, name: 'Os seus dados' })).toBeInTheDocument()
    expect(document.title).toBe('Os seus dados · Sininho')
    expect(screen.getByRole('heading', { level: 2, name: 'Direitos' })).toBeInTheDocument()
    expect(screen.getByRole('listitem')).toHaveTextContent('Levar')
    expect(screen.getByRole('link', { name: 'regras' })).toHaveAttribute('href', '/terms')
  })

  it('has the title of its page if it has none', async () => {
    env().PRIVACY = '/privacy'
    serve('', '<p>Olá</p>')
    renderApp('/privacy')
    expect(await screen.findByRole('heading', { level: 1, name: 'Privacidade' })).toBeInTheDocument()
  })
})

it.each(['/privacy', '/terms'])('%s does not exist without a text', async (path) => {
  env().TERMS = 'https://example.com/termos'
  renderApp(path)
  expect(await screen.findByRole('heading', { level: 1, name: 'Você Está Perdido??' })).toBeInTheDocument()
})

describe.each(['/', '/login', '/onboarding'])('%s', (path) => {
  const links = () => screen.queryAllByRole('link', { name: /^(Privacidade|Termos)/ })

  it('links to what there is', async () => {
    if (path === '/onboarding') state.subscriber = subscriber({ onboarded: false })
    env().PRIVACY = '/privacy'
    env().TERMS = 'https://example.com/termos'
    renderApp(path)
    await screen.findByRole('link', { name: 'Privacidade' })
    expect(links().map((link) => link.getAttribute('href'))).toEqual(['/privacy', 'https://example.com/termos'])
  })

  it('links to nothing that there is not', async () => {
    if (path === '/onboarding') state.subscriber = subscriber({ onboarded: false })
    renderApp(path)
    await screen.findByRole('heading', { level: 1 })
    if (path === '/') await screen.findByRole('navigation', { name: 'Rodapé' })
    expect(links()).toEqual([])
  })
})
