import type { Page } from '@playwright/test'
import { expect, follow, gotoLive, test } from './support/test.ts'

/** Records every animation and transition. Returns a function that returns their names. */
async function watchMotion(page: Page) {
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    // motion within one frame does not count
    const note = ({ target, type, pseudoElement }: AnimationEvent | TransitionEvent) => {
      const style = getComputedStyle(target as Element, pseudoElement)
      const durations = type === 'animationstart' ? style.animationDuration : style.transitionDuration
      if (durations.split(',').some((each) => parseFloat(each) > 0.016)) {
        moved.push(`${type} ${(target as Element).className}`)
      }
    }
    addEventListener('animationstart', note, true)
    addEventListener('transitionrun', note, true)
  })
  return () => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)
}

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test.describe(`motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } })

    test('only permitted elements move: the first screen, a toast, an arrival', async ({ page, sininho, signIn }) => {
      const moved = await watchMotion(page)
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const example = page.getByText('Linha azul reaberta').first()
      await expect(example).toBeVisible()
      if (reducedMotion === 'reduce') {
        await expect.poll(() => example.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0)
        expect((await moved()).filter((name) => /notification|wall/i.test(name))).toEqual([])
      } else {
        await expect.poll(moved).toEqual(expect.arrayContaining([expect.stringMatching(/^animationstart/)]))
      }

      await signIn(page)
      await follow(page)
      await gotoLive(page, '/channels')
      const title = `Sem pressa ${Date.now()}`
      await sininho.publish(title)
      await expect(page.getByRole('status').filter({ hasText: title })).toBeVisible()
      const slid = async () => (await moved()).filter((name) => /Notification|transition/.test(name))
      if (reducedMotion === 'reduce') expect(await slid()).toEqual([])
      else await expect.poll(slid).not.toEqual([])
    })
  })
}
