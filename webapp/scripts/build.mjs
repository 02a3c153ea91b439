// Builds the app and its service worker in each language. What has no words is the same in all of them, and there once.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, '../server/internal/webui/dist')
const translations = ['en', 'pt-BR']
const original = 'pt-PT'

let emptyOutDir = true
// the original comes last, so that the files with its names are its own
for (const language of [...translations, original]) {
  process.env.SININHO_LANGUAGE = language
  for (const name of ['vite.config.ts', 'vite.sw.config.ts']) {
    await build({ root, configFile: join(root, name), logLevel: 'warn', build: { emptyOutDir } })
    emptyOutDir = false
  }
  if (language === original) continue
  for (const name of ['index.html', 'sw.js']) renameSync(join(dist, name), join(dist, variant(name, language)))
}

// neither is to be served: the manifest is for budget.mjs, and the licences are for a release
const kept = join(root, 'dist')
mkdirSync(kept, { recursive: true })
for (const name of ['manifest.json', 'license.json']) renameSync(join(dist, '.vite', name), join(kept, name))
rmSync(join(dist, '.vite'), { recursive: true })

/** The name by which the server finds a file in a language. */
function variant(name, language) {
  return name.replace(/\.(\w+)$/, `.${language}.$1`)
}
