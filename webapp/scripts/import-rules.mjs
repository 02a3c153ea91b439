// Checks that each import rule in .oxlintrc.json catches a violation, and accepts what it should: lints a small tree of
// planted files with the app's own configuration.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The modules that planted files import. */
const modules = [
  'app/m',
  'routes/m',
  'features/one/m',
  'features/two/m',
  'data/m',
  'ui/m',
  'lib/m',
  'i18n/m',
  'testing/m',
]

/** Importing folder, imported modules, and whether the rules forbid that. */
const planted = [
  ['app', ['../testing/m'], 'forbidden'],
  ['app', ['../routes/m', '../features/one/m', '../data/m', '../ui/m', '../lib/m', '../i18n/m'], 'allowed'],
  ['routes', ['../app/m', '../testing/m'], 'forbidden'],
  ['routes', ['../features/one/m', '../data/m', '../ui/m', '../lib/m', '../i18n/m'], 'allowed'],
  ['routes/_auth', ['../../app/m'], 'forbidden'],
  ['features/one', ['../two/m', '../../app/m', '../../routes/m', '../../testing/m'], 'forbidden'],
  ['features/one', ['../../features/two/m'], 'forbidden'],
  ['features/one', ['./m', '../../data/m', '../../ui/m', '../../lib/m', '../../i18n/m'], 'allowed'],
  ['data', ['../app/m', '../routes/m', '../features/one/m', '../ui/m', '../testing/m'], 'forbidden'],
  ['data', ['./m', '../lib/m', '../i18n/m'], 'allowed'],
  ['ui', ['../app/m', '../routes/m', '../features/one/m', '../data/m', '../testing/m'], 'forbidden'],
  ['ui', ['./m', '../lib/m', '../i18n/m'], 'allowed'],
  ['lib', ['../app/m', '../routes/m', '../features/one/m', '../data/m', '../ui/m', '../testing/m'], 'forbidden'],
  ['lib/push', ['../../features/one/m', '../../data/m', '../../ui/m'], 'forbidden'],
  ['lib', ['./m', '../i18n/m'], 'allowed'],
  ['i18n', ['../features/one/m', '../data/m', '../ui/m'], 'forbidden'],
]
const forms = {
  value: (path) => `import { m } from '${path}'\nexport const value = m\n`,
  type: (path) => `import type { M } from '${path}'\nexport type Value = M\n`,
  reexport: (path) => `export { m } from '${path}'\n`,
  dynamic: (path) => `export const load = () => import('${path}')\n`,
}

const folder = mkdtempSync(join(tmpdir(), 'import-rules-'))
const faults = []
try {
  cpSync(here('../.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const name of modules) write(`src/${name}.ts`, 'export const m = 1\nexport type M = 1\n')
  const expected = plant()
  const reported = lint()
  for (const [file, wanted] of expected) {
    const found = [...(reported.get(file) ?? [])].join(', ') || 'nothing'
    if (found !== wanted) faults.push(`${file}: got ${found}, want ${wanted}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (faults.length > 0) {
  console.error(`The import rules do not hold:\n${faults.join('\n')}`)
  process.exit(1)
}

/** Writes the violations and what is allowed. Returns for each file the rule that must report it, or `nothing`. */
function plant() {
  const expected = new Map()
  let count = 0
  for (const [from, paths, verdict] of planted) {
    for (const path of paths) {
      for (const [form, source] of Object.entries(forms)) {
        const file = `src/${from}/planted-${++count}-${form}.ts`
        write(file, source(path))
        expected.set(file, verdict === 'forbidden' ? 'eslint(no-restricted-imports)' : 'nothing')
      }
    }
  }
  write('src/sw.ts', forms.value('./features/one/m'))
  expected.set('src/sw.ts', 'eslint(no-restricted-imports)')
  write('src/features/one/planted.test.ts', forms.value('../two/m'))
  expected.set('src/features/one/planted.test.ts', 'nothing')
  // a circle that only types close
  write('src/ui/a.ts', "import { b } from './b'\nexport type A = 1\nexport const a = b\n")
  write('src/ui/b.ts', "import type { A } from './a'\nexport type B = A\nexport const b = 1\n")
  for (const file of ['src/ui/a.ts', 'src/ui/b.ts']) expected.set(file, 'import(no-cycle)')
  return expected
}

/** Returns for each file the rules about imports that report it. */
function lint() {
  const oxlint = here('../../node_modules/.bin/oxlint')
  const { stdout, error } = spawnSync(oxlint, ['--format', 'json'], { cwd: folder, encoding: 'utf8' })
  if (error) throw error
  const reported = new Map()
  for (const { code, filename } of JSON.parse(stdout).diagnostics) {
    if (!/no-restricted-imports|no-cycle/.test(code)) continue
    if (!reported.has(filename)) reported.set(filename, new Set())
    reported.get(filename).add(code)
  }
  return reported
}

function write(name, text) {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
