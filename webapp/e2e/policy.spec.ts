import { expect, test } from './support/test.ts'

/** Checks that `watched` detects violations: each of these must fail a test. */

const violations: Record<string, () => unknown> = {
  'a script written into the page': () => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.ran = true'
    document.head.append(script)
  },
  'a handler in markup': () =>
    document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="globalThis.ran = true">'),
  // in a timer, because code that a test evaluates itself is exempt from the policy
  eval: () =>
    setTimeout(() => {
      try {
        // oxlint-disable-next-line no-eval -- the policy must block it
        ;(0, eval)('globalThis.ran = true')
      } catch {
        // the error is caught, but the violation is reported
      }
    }),
  'a script from elsewhere': () => {
    const script = document.createElement('script')
    script.src = 'https://example.com/x.js'
    document.head.append(script)
  },
  'an image from elsewhere': () => {
    new Image().src = 'https://example.com/x.png'
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
