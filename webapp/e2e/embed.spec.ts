import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect, test } from './support/test.ts'

test('a page of another site shows a public channel, and nothing of whoever looks at it', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  const example = await readFile(new URL('../../examples/embed/index.html', import.meta.url), 'utf8')
  const site = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(example.replace('http://localhost:8080', sininho.url)),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  try {
    const streaming = page.waitForResponse((response) => response.url().endsWith('/stream'))
    await page.goto(`http://127.0.0.1:${(site.address() as { port: number }).port}`)
    await streaming
    const [first, second] = ['Na página de outro', 'Corrigido ali']
    const id = await sininho.publish(first)
    await expect(page.getByText(first)).toBeVisible()
    await sininho.command('notifications', 'correct', 'demo/novidades', id, '--title', second)
    await expect(page.getByText(second)).toBeVisible()
    await page.reload()
    await expect(page.getByText(second)).toBeVisible()
    const mine = await page.evaluate(
      (url) =>
        Promise.all(
          (['include', 'omit'] as const).map((credentials) =>
            fetch(`${url}/api/v1/subscribers/me`, { credentials }).then(
              ({ status }) => status,
              () => 'refused',
            ),
          ),
        ),
      sininho.url,
    )
    expect(mine).toEqual(['refused', 401])
  } finally {
    site.close()
  }
})
