import { type ReactNode, lazy } from 'react'
import type { ActionToaster } from '../lib/query-client'

/** Shows toasts for the error catalogue's rows, for successful actions, and for arrived notifications. */
export interface Toaster extends ActionToaster {
  /** A notification that arrived while the app is in the foreground. The publisher's text is never rendered as HTML. */
  arrival(arrival: Arrival): void
}

export type Arrival = { id: string; title: string; body?: string; image?: string; icon?: string; link?: ReactNode }

/** Loaded after the first screen, which needs no toasts: they are a tenth of the code. */
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
