/** Signs a person in as a browser does and returns a new access token. */
export async function accessToken(baseUrl: string, email: string): Promise<string> {
  const cookie = await session(baseUrl, email)
  const response = await fetch(`${baseUrl}/subscribers/access-tokens`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'sdk-ts' }),
  })
  if (!response.ok) throw new Error(`no access token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { secret: string }).secret
}

async function session(baseUrl: string, email: string): Promise<string> {
  const home = new URL(baseUrl).host
  const cookies = new Map<string, string>()
  const cookie = () => Array.from(cookies, (pair) => pair.join('=')).join('; ')
  let url = new URL(`${baseUrl}/auth/google?login_hint=${encodeURIComponent(email)}`)
  for (let hops = 0; hops < 5; hops++) {
    const isHome = url.host === home
    const response = await fetch(url, { redirect: 'manual', headers: isHome ? { Cookie: cookie() } : {} })
    for (const set of isHome ? response.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('Location')
    if (!next || next === '/') return cookie()
    url = new URL(next, url)
  }
  return cookie()
}
