import type { Page } from '@playwright/test'

/** Waits until the pictures in sight are decoded, and a cover has its colour. */
export async function painted(page: Page) {
  await page.waitForFunction(() => {
    const inSight = [...document.images].filter((image) => {
      const { top, bottom, left, right, width } = image.getBoundingClientRect()
      const inWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
      return width > 0 && inWindow && image.checkVisibility({ visibilityProperty: true })
    })
    return inSight.every(({ complete }) => complete) && !document.querySelector('[data-tinted=false]')
  })
  await page.evaluate(async () => {
    await Promise.allSettled([...document.images].filter(({ complete }) => complete).map((image) => image.decode()))
    await document.fonts.ready
  })
}
