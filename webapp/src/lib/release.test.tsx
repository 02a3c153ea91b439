import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '../testing/renderApp'
import { server } from '../testing/server'
import { followRelease } from './release'
import { keepTyped } from './typed'

const page = (release: string) => `<!doctype html><script src="/config.js"></script><script src="${release}"></script>`
const missing = new Error('Unable to preload CSS for /assets/demo-a1.css')

const running = document.createElement('script')
running.type = 'module'
running.src = '/assets/index-a.js'
beforeEach(() => document.head.append(running))
afterEach(() => running.remove())

describe('a part that cannot be loaded', () => {
  const serve = (release: string) => server.use(http.get('*/', () => HttpResponse.html(page(release))))

  it('reloads the page once for a new release', async () => {
    serve('/assets/index-b.js')
    const reload = vi.fn()
    expect(await followRelease(missing, reload)).toBe(true)
    expect(await followRelease(missing, reload)).toBe(false)
    serve('/assets/index-c.js')
    expect(await followRelease(missing, reload)).toBe(true)
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['the same release', missing, () => serve('/assets/index-a.js')],
    ['no answer', missing, () => server.use(http.get('*/', () => HttpResponse.error()))],
    ['another page, as of a proxy', missing, () => serve('/proxy.js')],
    ['another error', new Error('Cannot read properties of undefined'), () => serve('/assets/index-b.js')],
  ])('does not for %s', async (_what, error, prepare) => {
    prepare()
    const reload = vi.fn()
    expect(await followRelease(error, reload)).toBe(false)
    expect(reload).not.toHaveBeenCalled()
  })
})

it('what was typed before the page is reloaded is in its fields again', async () => {
  keepTyped()
  history.replaceState({}, '', '/demo')
  const { user, unmount } = renderApp('/demo')
  const title = () => screen.findByRole('textbox', { name: 'Título' })
  await user.clear(await title())
  await user.type(await title(), 'Escrito por mim')
  dispatchEvent(new Event('vite:preloadError'))
  unmount()
  dispatchEvent(new Event('pagehide'))
  keepTyped()
  renderApp('/demo')
  await waitFor(async () => expect(await title()).toHaveValue('Escrito por mim'))
  history.replaceState({}, '', '/')
})
