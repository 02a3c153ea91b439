import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Toasts, { toasts } from './toasts'

const shown = (text: string) => screen.getByText(text).closest<HTMLElement>('.mantine-Notification-root')!
const place = (element: HTMLElement) => element.closest('[data-position]')!.getAttribute('data-position')
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
  render(
    <MantineProvider env="test">
      <Toasts />
    </MantineProvider>,
  )
})
afterEach(() => vi.useRealTimers())

describe('an action’s toast', () => {
  it('success: teal, "Tudo certo!", a check icon, a status; 5 s, top centre', async () => {
    act(() => toasts.success('Guardado.'))
    await pass(0)
    const toast = shown('Guardado.')
    expect(toast).toHaveAttribute('role', 'status')
    expect(toast).toHaveTextContent('Tudo certo!')
    expect(toast.querySelector('.tabler-icon-check')).toBeInTheDocument()
    expect(toast.style.getPropertyValue('--notification-color')).toContain('teal')
    expect(place(toast)).toBe('top-center')
    await pass(4900)
    expect(screen.getByText('Guardado.')).toBeInTheDocument()
    await pass(600)
    expect(screen.queryByText('Guardado.')).not.toBeInTheDocument()
  })

  it('network failure: red, "Algo Correu mal!", a server-off icon, an alert', async () => {
    act(() => toasts.networkFailure('Sem rede.'))
    await pass(0)
    const toast = shown('Sem rede.')
    expect(toast).toHaveAttribute('role', 'alert')
    expect(toast).toHaveTextContent('Algo Correu mal!')
    expect(toast.querySelector('.tabler-icon-server-off')).toBeInTheDocument()
    expect(toast.style.getPropertyValue('--notification-color')).toContain('red')
  })

  it('other failure: red, no title', async () => {
    act(() => toasts.failure('Não deu.'))
    await pass(0)
    const toast = shown('Não deu.')
    expect(toast.querySelector('.mantine-Notification-title')).not.toBeInTheDocument()
    expect(toast.style.getPropertyValue('--notification-color')).toContain('red')
  })

  it('stays while it has the focus, and can be closed', async () => {
    act(() => toasts.success('Fica.'))
    await pass(0)
    const close = screen.getByRole('button', { name: 'Fechar aviso' })
    act(() => close.focus())
    await pass(20_000)
    expect(screen.getByText('Fica.')).toBeInTheDocument()
    fireEvent.click(close)
    await pass(1000)
    expect(screen.queryByText('Fica.')).not.toBeInTheDocument()
  })
})

describe('an arrival', () => {
  it('shows title, text, image 80×50 and icon 50 for 8 s at the bottom right', async () => {
    act(() => toasts.arrival({ id: 'n1', title: 'Título', body: 'Texto', image: '/i.png', icon: '/c.png' }))
    await pass(0)
    const toast = shown('Título')
    expect(place(toast)).toBe('bottom-right')
    expect(toast).toHaveTextContent('Texto')
    const [icon, image] = toast.querySelectorAll('img')
    expect([icon?.width, icon?.height, icon?.getAttribute('src')]).toEqual([50, 50, '/c.png'])
    expect([image?.width, image?.height, image?.getAttribute('src')]).toEqual([80, 50, '/i.png'])
    await pass(7900)
    expect(screen.getByText('Título')).toBeInTheDocument()
    await pass(600)
    expect(screen.queryByText('Título')).not.toBeInTheDocument()
  })

  it('leaves no hole for pictures that cannot be had', async () => {
    act(() => toasts.arrival({ id: 'n3', title: 'Sem imagens', image: '/i.png', icon: '/c.png' }))
    await pass(0)
    const toast = shown('Sem imagens')
    for (const each of toast.querySelectorAll('img')) fireEvent.error(each)
    expect(toast.querySelector('img')).not.toBeInTheDocument()
  })

  it('is text, whatever a publisher wrote', async () => {
    act(() => toasts.arrival({ id: 'n2', title: '<img src=x onerror=alert(1)>', body: '<b>x</b>' }))
    await pass(0)
    expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeInTheDocument()
    expect(document.querySelector('.mantine-Notification-root img')).not.toBeInTheDocument()
  })
})
