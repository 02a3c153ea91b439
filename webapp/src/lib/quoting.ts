/** Quotes text as one word for any POSIX shell. */
export const shell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Replaces lone surrogates, which neither Go nor the server accepts. */
const whole = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}') : value

export const json = (value: unknown, indent?: number) => JSON.stringify(value, whole, indent)

/** Formats a Go string literal. JSON's escapes are valid in Go, but Go source must not contain a byte order mark. */
export const goString = (text: string) => json(text).replaceAll('\u{FEFF}', String.raw`\ufeff`)

/** Like goString, but as a raw string where possible, which is easier to read. */
export const goText = (text: string) => (/[`\u{FEFF}]/u.test(text) ? goString(text) : `\`${text}\``)
