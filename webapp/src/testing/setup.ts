import '@testing-library/jest-dom/vitest'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { testEnv } from './factories'
import { live, resetServer, server } from './server'
import { expectTextsApart } from './texts'

// long, so that a busy machine does not fail a test
configure({ asyncUtilTimeout: 60_000 })

Object.assign(globalThis, { SININHO_ENV: testEnv })

// missing in jsdom
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.IntersectionObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver
globalThis.matchMedia ??= (query: string) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
globalThis.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => resetServer())
afterEach(expectTextsApart)
afterEach(() => {
  cleanup()
  live.closeAll()
  notifications.clean()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
afterAll(() => server.close())
