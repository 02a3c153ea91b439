import { useEffect, useState } from 'react'
import { hueOf } from '../../lib/pictures'
import { type Tint, tintAt } from '../../lib/tint'

/** The colours that are known, by the addresses of the pictures. */
const known = new Map<string, Tint>()

/** Returns the colour of a picture or, where there is none to be had, of a name. Undefined until it is known. */
export function useTint(picture: string | undefined, name: string): Tint | undefined {
  const [found, setFound] = useState<{ of: string; tint: Tint | undefined }>()
  useEffect(() => {
    if (!picture || known.has(picture)) return undefined
    let current = true
    void tintAt(picture).then((tint) => {
      if (tint) known.set(picture, tint)
      if (current) setFound({ of: picture, tint })
    })
    return () => void (current = false)
  }, [picture])
  const own = { hue: hueOf(name), saturation: 0.6 }
  if (!picture) return own
  return known.get(picture) ?? (found?.of === picture ? (found.tint ?? own) : undefined)
}
