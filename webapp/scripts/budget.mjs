// Checks the built files against the size budgets and that parts are loaded on demand. Prints a table and fails if a
// budget is exceeded. What needs a browser is checked in e2e/budget.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const dist = here('../../server/internal/webui/dist')
const manifest = JSON.parse(readFileSync(here('../dist/manifest.json'), 'utf8'))

const read = (file) => readFileSync(join(dist, file), 'utf8')
const kilobytes = (files) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0) / 1024

/** Returns an entry of the manifest with everything that it imports statically. */
function closure(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const each of manifest[name].imports ?? []) closure(each, found)
  return found
}
const scripts = (names) => new Set([...names].map((name) => manifest[name].file))
const styles = (names) => new Set([...names].flatMap((name) => manifest[name].css ?? []))
const screen = (route) => `src/routes/${route}.tsx?tsr-split=component`
const without = (set, other) => new Set([...set].filter((each) => !other.has(each)))

const entry = closure('index.html')
const first = closure(screen('index'), new Set(entry))
const firstScripts = scripts(first)
const feedAlone = without(scripts(closure(screen('_auth/feed'))), scripts(entry))

/** All files in routes/ that render something. */
const routes = readdirSync(here('../src/routes'), { recursive: true })
  .filter(
    (file) => file.endsWith('.tsx') && /^\s*component:/m.test(readFileSync(here(`../src/routes/${file}`), 'utf8')),
  )
  .map((file) => file.replace(/\.tsx$/, ''))
const others = routes.filter((route) => route !== 'index' && route !== '__root')

/** A part of the studio with what it needs, and each that it loads on demand with what is there by then. */
function withLater(name, needs, before = new Set()) {
  const later = [...without(needs, before)]
    .flatMap((part) => manifest[part].dynamicImports ?? [])
    .filter((part) => part.startsWith('src/features/studio/'))
  return [[name, needs], ...later.flatMap((part) => withLater(part, closure(part, new Set(needs)), needs))]
}

/** What the screens of the studio add to the shell of the signed in, each with the parts that it loads on demand. */
const shell = scripts(closure('src/routes/-signed-in.tsx', new Set(entry)))
const studio = routes
  .filter((route) => /^_auth\/(studio|new)\b/.test(route))
  .flatMap((route) => withLater(route, closure(screen(route))))
  .map(([name, parts]) => [
    `scripts of ${name.replace(/^_auth\/|^src\/features\//, '')}`,
    70,
    kilobytes(without(scripts(parts), shell)),
  ])

const sizes = [
  ['critical path of /', 210, kilobytes(['index.html', ...firstScripts, ...styles(first)])],
  ['its scripts', 190, kilobytes(firstScripts)],
  ['scripts that /feed adds', 17, kilobytes(feedAlone)],
  ...studio,
  ['service worker', 20, kilobytes(['sw.js'])],
]

/** Parts that must be chunks of their own, not loaded by `/` at first. Only the part contains the text `mark`. */
const onDemand = [
  ['firebase', 'src/lib/push/firebase.ts', 'firebaseinstallations.googleapis.com'],
  ['posthog', Object.keys(manifest).find((name) => name.includes('/posthog-js/')), '$autocapture'],
  ['toasts', 'src/ui/toasts.tsx'],
  ['what only the signed in need', 'src/routes/-signed-in.tsx'],
  ...others.map((route) => [`screen ${route}`, screen(route)]),
]
const firstText = [...firstScripts].map(read).join('\n')

const rows = [
  ...sizes.map(([what, bar, is]) => [is <= bar, what, `${is.toFixed(1)} KB`, `≤ ${bar} KB`]),
  ...onDemand.map(([what, name, mark]) => {
    const apart = manifest[name]?.isDynamicEntry === true
    const early = !apart || firstScripts.has(manifest[name].file) || (mark !== undefined && firstText.includes(mark))
    const found = mark === undefined || (apart && [...scripts(closure(name))].some((file) => read(file).includes(mark)))
    return [!early && found, what, early ? 'at first' : found ? 'on demand' : `holds no ${mark}`, 'on demand']
  }),
]

console.log(`by gzip; / loads ${firstScripts.size} scripts at first\n`)
for (const [met, what, is, bar] of rows) {
  console.log(`${met ? 'ok    ' : 'MISSED'}  ${what.padEnd(52)} ${is.padStart(12)}   ${bar}`)
}
const missed = rows.filter(([met]) => !met).length
if (missed > 0) {
  console.log(
    `\n${missed} missed. 'npx vite build' in webapp/ lists each part; usually a lazy part is imported statically.`,
  )
  process.exit(1)
}
