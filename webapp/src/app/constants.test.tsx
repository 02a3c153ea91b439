import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { QueryObserver } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { notification, subscriber } from '../testing/factories'
import { renderApp } from '../testing/renderApp'
import { server, state } from '../testing/server'
import Toasts from '../ui/toasts'
import { createApp } from './create-app'
import type { AppRouter } from './router'
import { theme } from './theme'

/**
 * The specification's business constants. Most are defaults of libraries, so these tests measure them and fail when a
 * new version changes one. The constants of action and push toasts are tested in ui/toasts.test.tsx.
 */

afterEach(() => vi.useRealTimers())

describe('notifications page', () => {
  const asked = async (path: string) => {
    state.subscriber = subscriber()
    state.feed = Array.from({ length: 11 }, () => notification())
    const queries: string[] = []
    const list = /\/notifications$/
    server.events.on('request:start', ({ request }) => {
      const { pathname, search } = new URL(request.url)
      if (list.test(pathname)) queries.push(search)
    })
    renderApp(path)
    expect(await screen.findAllByRole('article')).toHaveLength(10)
    server.events.removeAllListeners()
    return queries
  }

  it.each(['/feed', '/feed?channel=metro/linhas'])('size 10, offset 0: %s', async (path) => {
    const queries = await asked(path)
    expect(queries).toContain('?limit=10&offset=0')
    // the other is for what comes first
    for (const query of queries) expect(query).toMatch(/^\?limit=10&offset=0(&important=true)?$/)
  })
})

describe('a library toast', () => {
  const show = async (count: number) => {
    vi.useFakeTimers()
    render(
      <MantineProvider>
        <Toasts />
      </MantineProvider>,
    )
    act(() => {
      for (let index = 0; index < count; index++) notifications.show({ message: `Aviso ${index}` })
    })
    await act(() => vi.advanceTimersByTimeAsync(0))
    return screen.queryAllByText(/^Aviso/)
  }
  const root = (element: HTMLElement | undefined) => element?.closest<HTMLElement>('.mantine-Notification-root')

  it('closes after 4000 ms, with a transition of 250 ms', async () => {
    const [toast] = await show(1)
    expect(root(toast)?.style.transitionDuration).toMatch(/^250ms/)
    await act(() => vi.advanceTimersByTimeAsync(3_999))
    expect(screen.getByText('Aviso 0')).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(300))
    expect(screen.queryByText('Aviso 0')).not.toBeInTheDocument()
  })

  it('stands bottom-right, 440 wide', async () => {
    const [toast] = await show(1)
    const place = toast?.closest<HTMLElement>('[data-position]')
    expect(place).toHaveAttribute('data-position', 'bottom-right')
    expect(place?.style.getPropertyValue('--notifications-container-width')).toMatch(/27\.5rem/) // 440 px, at 16 px per rem
  })

  it('is one of at most 5', async () => {
    expect(await show(7)).toHaveLength(5)
  })
})

describe('theme', () => {
  it('primary colour brand, primary shade 7, default radius md, near-black text', () => {
    expect(theme).toMatchObject({ primaryColor: 'brand', primaryShade: 7, defaultRadius: 'md', black: '#0b0d12' })
    expect(theme.colors?.brand?.[7]).toBe('#1b4ac2')
  })

  it.each([
    [false, 'light'],
    [true, 'dark'],
  ])('colour scheme auto: dark asked for is %s, shown is %s', async (dark, scheme) => {
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: dark && media.includes('dark'),
      media,
      addEventListener() {},
      removeEventListener() {},
    }))
    renderApp('/login')
    await screen.findByRole('heading', { level: 1 })
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', scheme)
  })
})

describe('data cache', () => {
  it('keeps unused data for 5 minutes', async () => {
    vi.useFakeTimers()
    const { queryClient } = createApp(createMemoryHistory())
    const stop = new QueryObserver(queryClient, { queryKey: ['x'], queryFn: () => 1 }).subscribe(() => {})
    await vi.advanceTimersByTimeAsync(0)
    stop()
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
    expect(queryClient.getQueryData(['x'])).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(queryClient.getQueryData(['x'])).toBeUndefined()
  })

  it('failed fetches: retried 3 times, with exponential backoff', async () => {
    vi.useFakeTimers()
    const { queryClient } = createApp(createMemoryHistory())
    const start = Date.now()
    const times: number[] = []
    const queryFn = () => (times.push(Date.now() - start), Promise.reject(new Error('não')))
    void queryClient.prefetchQuery({ queryKey: ['x'], queryFn })
    await vi.advanceTimersByTimeAsync(300_000)
    expect(times).toEqual([0, 1000, 3000, 7000])
  })

  it('failed fetches: the backoff is capped at 30 s', async () => {
    vi.useFakeTimers()
    const { queryClient } = createApp(createMemoryHistory())
    const times: number[] = []
    const queryFn = () => (times.push(Date.now()), Promise.reject(new Error('não')))
    void queryClient.prefetchQuery({ queryKey: ['x'], queryFn, retry: 7 })
    await vi.advanceTimersByTimeAsync(300_000)
    const gaps = times.slice(1).map((time, index) => time - times[index]!)
    expect(gaps).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })
})

describe('router', () => {
  const loaderOf = ({ routesById }: AppRouter) =>
    vi.spyOn(routesById['/channels/'].options as { loader: (...context: never[]) => unknown }, 'loader')
  const app = () => {
    const { router } = createApp(createMemoryHistory({ initialEntries: ['/login'] }))
    return { router, loader: loaderOf(router) }
  }

  it('preload delay 50 ms, on intent', () => {
    expect(app().router.options).toMatchObject({ defaultPreload: 'intent', defaultPreloadDelay: 50 })
  })

  it('pending indicator after 1000 ms, shown at least 500 ms', () => {
    expect(app().router.options).toMatchObject({ defaultPendingMs: 1000, defaultPendingMinMs: 500 })
  })

  it('preloaded data is stale after 30 s', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { router, loader } = app()
    await router.preloadRoute({ to: '/channels' })
    vi.setSystemTime(Date.now() + 29_999)
    await router.preloadRoute({ to: '/channels' })
    expect(loader).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() + 1)
    await router.preloadRoute({ to: '/channels' })
    expect(loader).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['just short of 5 minutes', 5 * 60_000 - 1, true],
    ['5 minutes', 5 * 60_000, false],
  ])('cache lifetime 5 minutes: a screen left for %s is shown at once', async (_when, ms, atOnce) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { router } = renderApp('/channels')
    const heading = { level: 1, name: 'Canais' }
    await screen.findByRole('heading', heading)
    await act(() => router.navigate({ to: '/login' }))
    vi.setSystemTime(Date.now() + ms)
    await act(() => router.navigate({ to: '/' })) // a navigation makes the router clear its cache of expired entries
    let finish: (() => void) | undefined
    loaderOf(router).mockImplementation(() => new Promise<void>((done) => (finish = done)))
    const arrived = router.navigate({ to: '/channels' })
    await vi.waitFor(() => expect(finish).toBeDefined())
    await act(async () => undefined)
    if (atOnce) expect(await screen.findByRole('heading', heading)).toBeInTheDocument()
    else expect(screen.queryByRole('heading', heading)).not.toBeInTheDocument()
    await act(async () => {
      finish?.()
      await arrived
    })
    expect(await screen.findByRole('heading', heading)).toBeInTheDocument()
  })

  it('scroll positions are kept', () => {
    expect(app().router.options.scrollRestoration).toBe(true)
  })
})

it('calls to the API send credentials', async () => {
  const sent = new Set<RequestCredentials>()
  server.events.on('request:start', ({ request }) => void sent.add(request.credentials))
  renderApp('/channels')
  await screen.findByText('Ainda não há canais')
  server.events.removeAllListeners()
  expect([...sent]).toEqual(['include'])
})
