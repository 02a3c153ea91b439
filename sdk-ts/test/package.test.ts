import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const home = fileURLToPath(new URL('..', import.meta.url))
const modules = join(home, '../node_modules')
const run = promisify(execFile)

let folder: string
let project: string

/** Packs a checkout in which nothing was built, and installs the package into an empty project. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sininho-package-'))
  const checkout = join(folder, 'repository/sdk-ts')
  const isSource = (path: string) => !['dist', 'node_modules'].includes(basename(path))
  await cp(home, checkout, { recursive: true, filter: isSource })
  await symlink(modules, join(folder, 'repository/node_modules'))

  project = join(folder, 'project')
  await mkdir(project)
  await run('npm', ['pack', '--pack-destination', project], { cwd: checkout })
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project, join(modules, name)], { cwd: project })
  }
  await writeFile(join(project, 'package.json'), '{"private": true}')
  const packages = (await readdir(project)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages], { cwd: project })
}, 600_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const publish = `
const client = createMainClient({ baseUrl: 'http://sininho.test/api/v1', fetch: async () => Response.json({ id: 'n1' }) })
client.POST('/channels/{publisherSlug}/{channelSlug}/notifications', {
  params: { path: { publisherSlug: 'demo', channelSlug: 'novidades' } },
  body: { title: 'Olá' },
}).then(({ data }) => console.log(data?.id))
`

it.each([
  ['an ES module', 'main.mjs', `import { createMainClient } from '@sininho/sdk'\n${publish}`],
  ['CommonJS', 'main.cjs', `const { createMainClient } = require('@sininho/sdk')\n${publish}`],
])('runs in %s', { timeout: 60_000 }, async (_kind, name, program) => {
  await writeFile(join(project, name), program)
  // the first releases of Node 20 cannot require() ES modules
  const without = '--no-experimental-require-module'
  const options = process.allowedNodeEnvironmentFlags.has(without) ? [without] : []
  const { stdout } = await run(process.execPath, [...options, name], { cwd: project })
  expect(stdout).toBe('n1\n')
})

it('has types in ES modules and in CommonJS', { timeout: 600_000 }, async () => {
  await writeFile(join(project, 'typed.mts'), `import { createMainClient } from '@sininho/sdk'\n${publish}`)
  await writeFile(join(project, 'typed.cts'), `import { createMainClient } from '@sininho/sdk'\n${publish}`)
  const options = [
    '--noEmit',
    '--strict',
    '--skipDefaultLibCheck',
    '--module',
    'NodeNext',
    '--lib',
    'ES2023,DOM,DOM.Iterable',
  ]
  const compiler = join(modules, 'typescript/bin/tsc')
  const check = run(process.execPath, [compiler, ...options, 'typed.mts', 'typed.cts'], { cwd: project })
  expect(
    await check.then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    ),
  ).toBe('')
})

it('contains only used files', async () => {
  const installed = join(project, 'node_modules/@sininho/sdk')
  expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
})
