import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cli, curl } from '../src/features/demo/snippets.ts'
import { bin } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

const run = promisify(execFile)

/** What a shell hands to the named command when the snippet is pasted into it. */
async function handed(snippet: string, command: string): Promise<string[]> {
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
  test(`a shell hands over ${JSON.stringify(text)} as it is`, async () => {
    const [address, , , , data] = await handed(curl('http://x/y', { title: text, body: text }), 'curl')
    expect(address).toBe('http://x/y')
    expect(JSON.parse(data ?? '')).toEqual({ title: text, body: text })
    expect(await handed(cli('http://x', 'chave', 'demo/novidades', { title: text, body: `x${text}` }), 'sininho')).toEqual([
      'publish',
      'demo/novidades',
      '--title',
      text,
      '--body',
      `x${text}`,
    ])
  })
}

test('the commands shown run as they are, and what they send arrives on the page', async ({ page, sininho }, info) => {
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

  // in the module, so that go finds the SDK; by its underscore no part of ./...
  const folder = await mkdtemp(info.outputPath('_go-'))
  await writeFile(join(folder, 'main.go'), await code('Go', ' 2'))
  expect((await run('go', ['run', join(folder, 'main.go')])).stdout).toContain('202')
  await arrived(' 2')

  const snippet = (await code('Linha de comandos', ' 3')).replace('A_SUA_CHAVE', sininho.apiKey)
  await run('sh', ['-c', snippet], { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } })
  await arrived(' 3')
})
