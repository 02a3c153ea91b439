type Illustrated = { image?: string; imageProxy?: string }
type Marked = { icon?: string; iconProxy?: string }
type Portrayed = { avatar?: string; avatarProxy?: string }

/*
 * The addresses at which readers load pictures: at this server, so that publishers do not learn who reads. A server
 * without a picture proxy has only the publishers' addresses.
 */
export const imageOf = ({ image, imageProxy }: Illustrated) => imageProxy ?? image
export const thumbnailOf = ({ image, imageProxy }: Illustrated) => smallAt(imageProxy, 'thumbnail') ?? image
export const iconOf = ({ icon, iconProxy }: Marked, size: Face = 'icon') => smallAt(iconProxy, size) ?? icon
export const avatarOf = ({ avatar, avatarProxy }: Portrayed, size: Face = 'icon') =>
  smallAt(avatarProxy, size) ?? avatar

/** Of a line of a list, or of what a page is about. */
type Face = 'icon' | 'portrait'

/** Where the server has a picture in a small size. The images of the app itself are small. */
const smallAt = (proxy: string | undefined, size: Face | 'thumbnail') =>
  proxy?.includes('/pictures/') ? `${proxy}?size=${size}` : proxy

/** A hue of its own for a name, for what has no picture. */
export const hueOf = (name: string) =>
  [...name].reduce((all, character) => (all * 31 + (character.codePointAt(0) ?? 0)) % 360, 7)

/** The first letters of a name's first and last words, but not of what joins them: "MC" of "Metro da Cidade". */
export function initialsOf(name: string): string {
  const [[first] = name, ...others] = name.match(/\p{Lu}\S*|\S{4,}/gu) ?? []
  const [last = ''] = others.pop() ?? ''
  return first + last
}
