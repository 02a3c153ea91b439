import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { translated } from './language.config.ts'
import { routes } from './router.config.ts'

// `npm run dev` serves the app alone; API, settings and worker come from a running Sininho.
const server = process.env.SININHO_URL ?? 'http://localhost:8080'

/** Tests that replace modules. All others share what their thread has loaded, which takes longer than most of them. */
const isolated = 'src/**/*.isolated.test.tsx'
/** What needs a document is .tsx; the rest does without one, and is quicker. */
const screens = {
  environment: 'jsdom',
  environmentOptions: { jsdom: { url: 'http://localhost:8080' } },
  include: ['src/**/*.test.tsx'],
  setupFiles: ['src/testing/setup.ts'],
}

/** Matches one of the names, of which each is a part of a regular expression. */
const anyOf = (names: string) => `(${names.trim().split(/\s+/).join('|')})`

// The modules of the large chunks, by their paths. Without these, modules that several screens need would each be a file.
const mantine = anyOf(`ActionIcon Badge Button Center CloseButton Flex Group Input Loader Paper SimpleGrid Skeleton
  Stack Text Title Transition UnstyledButton VisuallyHidden`)
const base = {
  lib: anyOf('paths pictures search'),
  data: anyOf('session subscriptions channels useEntrance timing waitlist'),
  ui: anyOf('ChannelIcon Column Picture onDemand'),
}
const notifications = {
  feed: anyOf(`feed\\.module cards CardText DayOfCards Found\\. LoadedNotifications Notification(Card|Days)\\.
    OutLink Moment Marks ListEnd rows mutations
    use(Held|Important|Layout|Notification|Opening|Today)`),
  ui: anyOf('PictureButton LinkedText LoadMore Loaded EmptyState ErrorPanel SearchField'),
  lib: anyOf('linkify clock dates push/(shown|message)'),
  icons: anyOf('AlertTriangle Search ExternalLink WifiOff'),
}

export default defineConfig({
  plugins: [tanstackRouter(routes), react({ jsxImportSource: '/src/lib/jsx' }), translated()],
  build: {
    target: 'baseline-widely-available',
    outDir: '../server/internal/webui/dist',
    assetsInlineLimit: 0,
    manifest: true,
    license: { fileName: '.vite/license.json' },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // the first screen and the feed need most of these, and others one by one
            {
              name: 'mantine',
              test: new RegExp(`@mantine/hooks/esm/use-debounced|@mantine/core/esm/(core/|components/${mantine}/)`),
              includeDependenciesRecursively: false,
            },
            // every screen changes something: else the half of the query library for that is with one of them
            { name: 'query', test: /use(BaseQuery|Mutation)|mutation(Observer|Options)/ },
            // else the parts of the router that some screen uses too are apart, one by one
            { name: 'router', test: /@tanstack\/(react-router|router-core|history|react-store|store)\// },
            // the first screen needs all of these and what they import, of which most parts are small
            {
              name: 'base',
              test: new RegExp(`src/(lib/${base.lib}|data/${base.data}|ui/${base.ui})\\.tsx?$`),
            },
            // every screen with notifications needs all of these
            {
              name: 'notifications',
              test: new RegExp(
                [
                  `features/feed/${notifications.feed}`,
                  `ui/${notifications.ui}\\.`,
                  `lib/${notifications.lib}\\.ts`,
                  'data/share\\.ts',
                  `esm/icons/Icon${notifications.icons}\\.`,
                  'data/((notification|subscription)-cache|at-once)',
                ].join('|'),
              ),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/config.js': server, '/sw.js': server, '/privacy.json': server, '/terms.json': server },
  },
  test: {
    pool: 'threads',
    maxWorkers: '100%', // by itself Vitest uses one core less
    testTimeout: 120_000,
    env: { TZ: 'Europe/Lisbon', DEBUG_PRINT_LIMIT: '0' },
    projects: [
      { extends: true, test: { name: 'logic', environment: 'node', include: ['src/**/*.test.ts'] } },
      { extends: true, test: { ...screens, name: 'screens', isolate: false, exclude: [isolated] } },
      { extends: true, test: { ...screens, name: 'isolated', include: [isolated] } },
    ],
  },
})
