/** Most characters of a title. */
const longest = 200

/**
 * Divides a text into title and body: the first line is the title. Of a longer one the title is the beginning, and the
 * body has all of it.
 */
export function titleAndBody(text: string): { title: string; body: string } {
  const [first = '', ...others] = text.trim().split('\n')
  const line = first.trim()
  const characters = [...line]
  if (characters.length <= longest) return { title: line, body: others.join('\n').trim() }
  const beginning = characters.slice(0, longest - 1).join('')
  return { title: `${beginning.replace(/\s+\S*$/u, '')}…`, body: text.trim() }
}

/** The text that is divided into a title and a body. */
export function textOf({ title, body = '' }: { title: string; body?: string }): string {
  if (body && title.endsWith('…') && body.startsWith(title.slice(0, -1))) return body
  return body ? `${title}\n${body}` : title
}
