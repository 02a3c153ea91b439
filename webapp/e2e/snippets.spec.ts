import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cli, curl } from '../src/features/demo/snippets.ts'
import { bin } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

const run = promisify(execFile)

/** Returns the arguments that a shell passes to the command when the snippet is pasted. */
async function passed(snippet: string, command: string): Promise<string[]> {
  const { stdout } = await run('sh', ['-c', `${command}() { printf '%s\\0' "$@"; }\n${snippet}`])
  return stdout.split('\0').slice(0, -1)
}

for (const text of [
  `d'água`,
  '"$(touch /tmp/x)" `id` $HOME !! \\ \\n',
  "'; exit 1 #",
  'duas\nlinhas\r\n\te um tab',
  '-',
  '--file=/etc/passwd',
  '@/etc/passwd',
  '<img src=x onerror=alert(1)>',
  'emoji 👩‍👩‍👧 e \u{FEFF}marca',
]) {
  test(`a shell passes ${JSON.stringify(text)} unchanged`, async () => {
    const [address, , , , data] = await passed(curl('http://x/y', { title: text, body: text }), 'curl')
    expect(address).toBe('http://x/y')
    expect(JSON.parse(data ?? '')).toEqual({ title: text, body: text })
    expect(
      await passed(cli('http://x', 'chave', 'demo/novidades', { title: text, body: `x${text}` }), 'sininho'),
    ).toEqual(['publish', 'demo/novidades', '--title', text, '--body', `x${text}`])
  })
}

test('the shown commands run unchanged, and their messages arrive on the page', async ({ page, sininho }, info) => {
  await page.goto('/demo')
  await expect(page.getByText('Ao vivo')).toBeVisible()
  const title = `D'\`água\` "$HOME" ${Date.now()}`
  await page.getByRole('textbox', { name: 'Texto' }).fill('-')
  const arrivals = page.getByRole('region', { name: 'A chegar ao canal' })
  const code = async (tab: string, suffix: string) => {
    await page.getByRole('textbox', { name: 'Título' }).fill(title + suffix)
    await page.getByRole('tab', { name: tab }).click()
    return page.getByRole('region', { name: `Código para ${tab}` }).innerText()
  }
  const arrived = (suffix: string) => expect(arrivals.getByText(title + suffix)).toBeVisible()

  await run('sh', ['-c', `${await code('curl', ' 1')} -f`])
  await arrived(' 1')

  // inside the module, so that go finds the SDK; the underscore excludes it from ./...
  const folder = await mkdtemp(info.outputPath('_go-'))
  await writeFile(join(folder, 'main.go'), await code('Go', ' 2'))
  expect((await run('go', ['run', join(folder, 'main.go')])).stdout).toContain('202')
  await arrived(' 2')

  const snippet = (await code('Linha de comandos', ' 3')).replace('A_SUA_CHAVE', sininho.apiKey)
  await run('sh', ['-c', snippet], { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } })
  await arrived(' 3')
})
