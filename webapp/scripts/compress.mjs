// Writes .gz and .br files next to what the server sends often, so that it does not compress them at run time. It
// compresses pages itself, once it has given them their heads.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../../server/internal/webui/dist', import.meta.url))
writeFileSync(join(dist, '.gitkeep'), '')

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
