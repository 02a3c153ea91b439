import { expect, it, vi } from 'vitest'
import { assetsPrefix } from './caches'
import { keepShell } from './keep'

const origin = 'https://sininho.example'
const asset = `${origin}/assets/index-1.js`

it('survives a cache that answers nothing, as when its page is left, and asks again for the same file', async () => {
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('document', { scripts: [{ src: asset }] })
  const match = vi.fn(() => Promise.reject(new DOMException('', 'AbortError')))
  const shell = { put: () => Promise.resolve(), match: () => Promise.resolve(new Response('/assets/index-1.js')) }
  const open = (name: string) => Promise.resolve(name.startsWith(assetsPrefix) ? { match } : shell)
  vi.stubGlobal('caches', { open, keys: () => Promise.resolve([]) })
  vi.stubGlobal('navigator', { serviceWorker: { register: () => Promise.resolve() } })
  let load = () => {}
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(seen: (list: object) => void) {
        load = () => seen({ getEntries: () => [{ name: asset }] })
      }
      observe() {
        load()
      }
    },
  )
  await keepShell()
  expect(match).toHaveBeenCalledOnce()
  await vi.waitFor(() => {
    load()
    expect(match).toHaveBeenCalledTimes(2)
  })
  vi.unstubAllGlobals()
})
