// Builds dist/ as ES modules and dist/cjs/ as CommonJS, for programs that call require().
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const home = new URL('../', import.meta.url)
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')

rmSync(new URL('dist/', home), { recursive: true, force: true })
for (const project of ['tsconfig.build.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [compiler, '-p', project], { cwd: fileURLToPath(home), stdio: ['ignore', 2, 2] })
}
writeFileSync(new URL('dist/cjs/package.json', home), '{"type": "commonjs"}\n')
