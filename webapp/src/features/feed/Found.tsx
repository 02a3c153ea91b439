import { Suspense, lazy } from 'react'

const Plain = ({ children }: { children: string }) => <>{children}</>

// a text is shown without its marks when they cannot be loaded
const FoundText = lazy(() => import('./FoundText').catch(() => ({ default: Plain })))

/** A text of a notification, with what was searched for marked. */
export const Found = ({ q, children }: { q?: string; children: string }) =>
  q ? (
    <Suspense fallback={children}>
      <FoundText q={q}>{children}</FoundText>
    </Suspense>
  ) : (
    <Plain>{children}</Plain>
  )
