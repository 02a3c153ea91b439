import { expect, test } from './support/test.ts'

/** That the watch over every test would see a violation: each of these does what none may do, and must fail. */

const violations: Record<string, () => unknown> = {
  'a script written into the page': () => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.ran = true'
    document.head.append(script)
  },
  'a handler in markup': () =>
    document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="globalThis.ran = true">'),
  // on its own feet, because what a test evaluates itself is free to
  eval: () =>
    setTimeout(() => {
      try {
        // oxlint-disable-next-line no-eval -- refused by the policy, which is what is tried
        ;(0, eval)('globalThis.ran = true')
      } catch {
        // nothing is thrown further, and yet it is told
      }
    }),
  'a script from elsewhere': () => {
    const script = document.createElement('script')
    script.src = 'https://example.com/x.js'
    document.head.append(script)
  },
  'a call elsewhere': () => fetch('https://example.com/').catch(() => undefined),
  'a page in a frame': () => {
    const frame = document.createElement('iframe')
    frame.src = 'https://example.com/'
    document.body.append(frame)
  },
  'an uncaught error': () =>
    setTimeout(() => {
      throw new Error('ninguém me apanha')
    }),
}

for (const [name, violate] of Object.entries(violations)) {
  test(`${name} fails a test`, async ({ page, watched }) => {
    await page.goto('/login')
    await page.evaluate(violate)
    await expect.poll(() => watched.length).toBeGreaterThan(0)
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
    watched.length = 0
  })
}
