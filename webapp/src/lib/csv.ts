/** What a spreadsheet takes for a formula. */
const formula = /^[=+\-@\t\r]/

const cell = (value: string | number) => {
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes a table as CSV (RFC 4180). What a spreadsheet would run is a text, and it is told that the file is UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]) =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
