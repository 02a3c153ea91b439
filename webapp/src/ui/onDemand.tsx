import { type ComponentType, type ReactNode, Suspense, lazy } from 'react'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/** A component whose code is loaded when it is first rendered; `meanwhile` is shown until then. */
export function onDemand<Props extends object>(load: Load<Props>, meanwhile?: ReactNode) {
  const Loaded: ComponentType<Props> = lazy(load)
  return (props: Props) => (
    <Suspense fallback={meanwhile}>
      <Loaded {...props} />
    </Suspense>
  )
}

/** The same for what a screen does without if it cannot be loaded, as without a connection. */
export const ifLoaded = <Props extends object>(load: Load<Props>, meanwhile?: ReactNode) =>
  onDemand<Props>(() => load().catch(() => ({ default: () => null })), meanwhile)
