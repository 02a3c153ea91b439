import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { env } from '../../env'
import { channel } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { state } from '../../testing/server'

afterEach(() => void delete env().SUPPORT_URL)
beforeEach(() => {
  state.channels = [channel({ slug: 'avaria', category: undefined })] // fails to render
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

describe.each([
  ['/nada', 'Você Está Perdido??'],
  ['/channels/metro/avaria', 'Something went wrong!'],
])('%s', (path, name) => {
  it.each(['mailto:ajuda@example.com', 'https://example.com/ajuda'])('leads to the support at %s', async (address) => {
    env().SUPPORT_URL = address
    renderApp(path)
    expect(await screen.findByRole('link', { name: /contacte o suporte/ })).toHaveAttribute('href', address)
    expect(screen.getByRole('heading', { level: 1, name })).toBeInTheDocument()
  })

  it('does not mention a support that the installation does not have', async () => {
    renderApp(path)
    await screen.findByRole('heading', { level: 1, name })
    expect(document.body).not.toHaveTextContent(/suporte/i)
  })
})
