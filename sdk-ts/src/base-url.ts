/**
 * Returns the base URL of the API for the address of a server: `/api/v1` is appended to one without a path, as in the
 * other SDKs and the command line. Throws a `TypeError` for anything else than an address of http or https.
 */
export function baseUrlOf(address: string): string {
  let url: URL
  try {
    url = new URL(address.trim())
  } catch {
    throw new TypeError(`The url must look like https://sininho.example, not ${JSON.stringify(address)}`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('The url must begin with https or http')
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('The url must have no user name, query or fragment')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path || '/api/v1')
}
