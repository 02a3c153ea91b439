import type { plot as original } from '../plot'
import type { Translation } from '../translation'

/** The texts of plots, separate because they are loaded on demand. */
export const plot = {
  highest: (value: string) => `Highest: ${value}`,
  total: (value: string) => `Total: ${value}`,
  table: (title: string) => `Figures for “${title}”`,
  showTable: 'Show figures',
  hideTable: 'Hide figures',
  showTableOf: (title: string) => `Show figures for “${title}”`,
  hideTableOf: (title: string) => `Hide figures for “${title}”`,
  time: 'Time',
  day: 'Day',
} as const satisfies Translation<typeof original>
