import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { settingsPages } from '../../lib/pages'

export type SectionName = (typeof settingsPages)[number]

/** A part of a section. */
export type Part = {
  /** Its fragment in the URL. */
  hash?: string
  /** Needed where a section has several parts. */
  title?: string
  /** Consists of several blocks, so it is not one itself. */
  blocks?: true
  Content: ComponentType
}

/** A section of the settings, at /settings/<name>. */
export type Section = { name: SectionName; Icon: Icon; parts: readonly Part[] }
