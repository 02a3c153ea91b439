type Illustrated = { image?: string; imageProxy?: string }
type Marked = { icon?: string; iconProxy?: string }
type Portrayed = { avatar?: string; avatarProxy?: string }

/*
 * The addresses at which readers load pictures: at this server, so that publishers do not learn who reads. A server
 * without a picture proxy has only the publishers' addresses.
 */
export const imageOf = ({ image, imageProxy }: Illustrated) => imageProxy ?? image
export const iconOf = ({ icon, iconProxy }: Marked) => iconProxy ?? icon
export const avatarOf = ({ avatar, avatarProxy }: Portrayed) => avatarProxy ?? avatar

/** A hue of its own for a name, for what has no picture. */
export const hueOf = (name: string) =>
  [...name].reduce((all, character) => (all * 31 + (character.codePointAt(0) ?? 0)) % 360, 7)

/** The first letters of a name's first and last words, but not of what joins them: "MC" of "Metro da Cidade". */
export function initialsOf(name: string): string {
  const [[first] = name, ...others] = name.match(/\p{Lu}\S*|\S{4,}/gu) ?? []
  const [last = ''] = others.pop() ?? ''
  return first + last
}
