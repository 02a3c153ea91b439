import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { install } from '../../lib/install'
import { subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { state } from '../../testing/server'

const section = async () => within(await screen.findByRole('region', { name: 'Instalar o Sininho' }))
const button = async () => (await section()).findByRole('button', { name: 'Instalar' })

/** Offers the installation as Chromium does; the person responds with `outcome`. */
function offer(outcome: 'accepted' | 'dismissed') {
  const prompt = vi.fn(async () => ({ outcome }))
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void dispatchEvent(event))
  return { event, prompt }
}

beforeEach(() => {
  state.subscriber = subscriber()
  install.offer = undefined
})

describe('installing the app', () => {
  it('is offered with its reason, also when the browser offered it before the screen was there', async () => {
    const { event, prompt } = offer('accepted')
    expect(event.defaultPrevented).toBe(true)
    const { user } = renderApp('/settings/app')
    expect(
      await (await section()).findByText(/janela própria, também sem ligação.*quantas notificações tem por ler/),
    ).toBeInTheDocument()
    await user.click(await button())
    expect(prompt).toHaveBeenCalledOnce()
    expect(await (await section()).findByRole('status')).toHaveTextContent('Procure o Sininho entre as suas aplicações')
    expect((await section()).queryByRole('button')).not.toBeInTheDocument()
  })

  it('is offered again after it was declined, once the browser does', async () => {
    const { user } = renderApp('/settings/app')
    expect(await (await section()).findByText(/no menu do navegador/)).toBeInTheDocument()
    offer('dismissed')
    await user.click(await button())
    expect(await (await section()).findByText(/no menu do navegador/)).toBeInTheDocument()
    offer('accepted')
    expect(await button()).toBeEnabled()
  })

  it('is announced in the list of sections', async () => {
    renderApp('/settings')
    const link = await screen.findByRole('link', { name: /^Aplicação/ })
    expect(link).toHaveTextContent('Aparência automática')
    offer('dismissed')
    expect(link).toHaveTextContent('Instalar o Sininho')
  })

  it('says when it fails', async () => {
    const { prompt } = offer('accepted')
    prompt.mockRejectedValue(new Error('no'))
    const { user } = renderApp('/settings/app')
    await user.click(await button())
    expect(await screen.findByText('Não foi possível instalar.')).toBeInTheDocument()
  })

  it('takes two steps on iPhone and iPad', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Safari/604.1')
    renderApp('/settings/app')
    const [first, second] = await (await section()).findAllByRole('listitem')
    expect(first).toHaveTextContent('Toque em Partilhar')
    expect(second).toHaveTextContent('Adicionar ao ecrã principal')
  })

  it('is done in the installed app', async () => {
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: media === '(display-mode: standalone)',
      media,
      addEventListener() {},
      removeEventListener() {},
    }))
    renderApp('/settings/app')
    expect(await (await section()).findByText(/O Sininho está instalado/)).toBeInTheDocument()
    expect((await section()).queryByRole('button')).not.toBeInTheDocument()
    renderApp('/settings')
    await waitFor(() => expect(screen.getByText('Aparência automática, instalada')).toBeInTheDocument())
  })
})
