/** Shares a page of this app by the system's dialog, or copies its address where there is none: then it returns true. */
export async function share(title: string, path: string): Promise<boolean> {
  const url = new URL(path, location.origin).href
  if (!navigator.share) {
    await navigator.clipboard.writeText(url)
    return true
  }
  try {
    await navigator.share({ title, url })
  } catch (error) {
    const closed = error instanceof DOMException && error.name === 'AbortError'
    if (!closed) throw error
  }
  return false
}
