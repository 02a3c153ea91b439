import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect, shownBy, welcome, welcomeBehind } from './test.ts'

/** Counts what a person taps. The browser's question about notifications is one of the taps. */
export class Taps {
  #count = 0

  private constructor(private readonly page: Page) {}

  /** Opens a page in which the browser asks before it shows notifications, and the person agrees. */
  static async open(context: BrowserContext): Promise<{ page: Page; taps: Taps }> {
    await context.addInitScript(() => {
      const times = () => Number(sessionStorage.getItem('asked'))
      Object.defineProperty(Notification, 'permission', { get: () => (times() > 0 ? 'granted' : 'default') })
      Notification.requestPermission = () => {
        sessionStorage.setItem('asked', String(times() + 1))
        return Promise.resolve('granted')
      }
    })
    const page = await context.newPage()
    return { page, taps: new Taps(page) }
  }

  /** Counts on a page that is open, in which nothing is asked. */
  static of = (page: Page) => new Taps(page)

  async on(target: Locator, tap: (target: Locator) => Promise<unknown> = (each) => each.click()) {
    this.#count++
    await tap(target)
  }

  /** Taps a field and writes in it. */
  type = (target: Locator, text: string) => this.on(target, (each) => each.fill(text))

  /**
   * Taps the button that has a channel pushed to this browser, for a visitor or a follower, and waits for the first push,
   * which the browser shows itself if the next screen is still loading.
   * On a busy machine the browser may need longer than the app waits: trying again does not count.
   */
  async receive(channel: string) {
    const button = this.page.getByRole('button', { name: new RegExp(`^(Receber (${channel}|tudo)|Ativar)$`) })
    await this.on(button)
    const failed = this.page.getByText(/Não foi possível chegar ao serviço de notificações do navegador/)
    await expect(async () => {
      if (await failed.first().isVisible()) await button.click()
      const behind = await shownBy(this.page.context())
      if (!behind.includes(welcomeBehind)) await expect(welcome(this.page)).toHaveCount(1, { timeout: 3000 })
    }).toPass()
    this.#count += await this.page.evaluate(() => Number(sessionStorage.getItem('asked')))
  }

  /** Fails above a number. */
  atMost(most: number) {
    expect(this.#count, 'taps').toBeLessThanOrEqual(most)
  }
}
