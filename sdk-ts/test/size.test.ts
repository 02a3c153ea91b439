import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src/index.ts', import.meta.url))

/** Returns how many bytes a page loads for a program, minified and compressed. */
async function size(program: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sininho-size-'))
  try {
    const entry = join(folder, 'main.js')
    await writeFile(entry, program.replace('@sininho/sdk', source))
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      build: { write: false, minify: true, lib: { entry, formats: ['es'], fileName: 'main' } },
    })
    const [{ output }] = built as { output: { code: string }[] }[] as [{ output: { code: string }[] }]
    return gzipSync(output[0]!.code, { level: 9 }).length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

it.each([
  [
    'publishing with services',
    `import { Sininho } from '@sininho/sdk'
new Sininho({ url: 'https://a.example' }).notifications.publish('acme/deploys', { title: 'a' })`,
  ],
  [
    'publishing with the client of the contract',
    `import { createMainClient } from '@sininho/sdk'
createMainClient({ baseUrl: 'https://a.example/api/v1' }).POST('/channels/{publisherSlug}/{channelSlug}/notifications', {})`,
  ],
])('%s takes at most 8 KB', { timeout: 60_000 }, async (_what, program) => {
  const bytes = await size(program)
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThan(8192)
})
