import type { plot as original } from '../plot'
import type { Translation } from '../translation'

/** The texts of plots, separate because they are loaded on demand. */
export const plot = {
  highest: (value: string) => `Máximo: ${value}`,
  total: (value: string) => `Total: ${value}`,
  table: (title: string) => `Números de “${title}”`,
  showTable: 'Ver os números',
  hideTable: 'Ocultar os números',
  showTableOf: (title: string) => `Ver os números de “${title}”`,
  hideTableOf: (title: string) => `Ocultar os números de “${title}”`,
  time: 'Hora',
  day: 'Dia',
} as const satisfies Translation<typeof original>
