import { onDemand } from './onDemand'
import type { Toaster } from './toast'

/** Loaded after the first screen, which needs no toasts: they are a tenth of the code. */
const load = () => import('./toasts')

export const Toasts = onDemand(load)

const later =
  <Name extends keyof Toaster>(name: Name) =>
  (...args: Parameters<Toaster[Name]>) =>
    void load()
      .then(({ toasts }) => (toasts[name] as (...args: Parameters<Toaster[Name]>) => void)(...args))
      .catch(() => undefined)

export const toaster: Toaster = {
  success: later('success'),
  networkFailure: later('networkFailure'),
  failure: later('failure'),
  arrival: later('arrival'),
}
