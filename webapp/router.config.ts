import type { Config } from '@tanstack/router-plugin/vite'

/** How routes/ becomes gen/routeTree.ts, for the build and for `npm run routes` alike. */
export const routes: Partial<Config> = {
  target: 'react',
  autoCodeSplitting: true,
  routesDirectory: './src/routes',
  generatedRouteTree: './src/gen/routeTree.ts',
  routeFileIgnorePattern: '\\.test\\.tsx?$',
  disableLogging: true,
}
