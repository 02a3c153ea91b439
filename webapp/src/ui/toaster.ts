import { type ReactNode, lazy } from 'react'
import type { ActionToaster } from '../lib/query-client'

/** The error catalogue's rows, the success of an action, and what arrived. */
export interface Toaster extends ActionToaster {
  /** A notification that came while the app is in front. Its text is text, whatever a publisher wrote. */
  arrival(arrival: Arrival): void
}

export type Arrival = { id: string; title: string; body?: string; image?: string; icon?: string; link?: ReactNode }

/** Toasts come after the first screen, which needs none: they are a tenth of the whole. */
const load = () => import('./toasts')

export const Toasts = lazy(load)

const later =
  <Name extends keyof Toaster>(name: Name) =>
  (...args: Parameters<Toaster[Name]>) =>
    void load().then(({ toasts }) => (toasts[name] as (...args: Parameters<Toaster[Name]>) => void)(...args))

export const toaster: Toaster = {
  success: later('success'),
  networkFailure: later('networkFailure'),
  failure: later('failure'),
  arrival: later('arrival'),
}
