import type { ReactNode } from 'react'
import type { ActionToaster } from '../lib/query-client'

/** Shows toasts for the error catalogue's rows, for successful actions, and for arrived notifications. */
export interface Toaster extends ActionToaster {
  /** A notification that arrived while the app is in the foreground. The publisher's text is never rendered as HTML. */
  arrival(arrival: Arrival): void
}

export type Arrival = { id: string; title: string; body?: string; image?: string; icon?: string; link?: ReactNode }
