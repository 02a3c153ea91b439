// Writes .gz and .br files next to what the server sends often, so that it does not compress them at run time. It
// compresses pages itself, once it has given them their heads.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../../server/internal/webui/dist', import.meta.url))
writeFileSync(join(dist, '.gitkeep'), '')

// neither is to be served: the manifest is for budget.mjs, and the licences are for a release
const kept = fileURLToPath(new URL('../dist/', import.meta.url))
mkdirSync(kept, { recursive: true })
for (const name of ['manifest.json', 'license.json']) renameSync(join(dist, '.vite', name), join(kept, name))
rmSync(join(dist, '.vite'), { recursive: true })

for (const name of readdirSync(dist, { recursive: true })) {
  if (!/\.(js|css|svg|webmanifest)$/.test(name)) continue
  const content = readFileSync(join(dist, name))
  if (content.length < 1024) continue
  writeFileSync(join(dist, `${name}.gz`), gzipSync(content, { level: 9 }))
  writeFileSync(
    join(dist, `${name}.br`),
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  )
}
