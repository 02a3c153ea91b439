/** A colour without its lightness, which depends on the scheme: the hue in degrees, and the saturation from 0 to 1. */
export type Tint = { hue: number; saturation: number }

/** Pixels that are nearly white, black, grey or transparent say little about a picture's colour. */
const least = 0.12

/** Returns the colour that prevails among the pixels of a picture, given as red, green, blue and alpha. */
export function tintOf(pixels: ArrayLike<number>): Tint {
  let [x, y, colour, opaque] = [0, 0, 0, 0]
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red, green, blue, alpha] = [0, 1, 2, 3].map((index) => pixels[at + index]! / 255) as Pixel
    const most = Math.max(red, green, blue)
    const chroma = most - Math.min(red, green, blue)
    opaque += alpha
    if (chroma * alpha < least) continue
    const angle = (hueOf(red, green, blue, most, chroma) * Math.PI) / 180
    x += Math.cos(angle) * chroma * alpha
    y += Math.sin(angle) * chroma * alpha
    colour += chroma * alpha
  }
  if (opaque === 0 || colour === 0) return { hue: 0, saturation: 0 }
  const hue = Math.round((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
  // colours that cancel each other out leave as little as few of them do
  return { hue, saturation: Math.min(1, (2.5 * Math.hypot(x, y)) / opaque) }
}

type Pixel = [number, number, number, number]

function hueOf(red: number, green: number, blue: number, most: number, chroma: number): number {
  if (most === red) return 60 * ((green - blue) / chroma)
  if (most === green) return 60 * ((blue - red) / chroma + 2)
  return 60 * ((red - green) / chroma + 4)
}

const side = 16

/**
 * Returns the colour of the picture at an address of this app, the only pictures whose pixels a browser gives away.
 * Returns undefined for others, and for those that cannot be loaded.
 */
export async function tintAt(address: string): Promise<Tint | undefined> {
  if (new URL(address, location.href).origin !== location.origin) return undefined
  const picture = new Image()
  picture.src = address
  try {
    await picture.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
    const drawing = canvas.getContext('2d', { willReadFrequently: true })
    drawing?.drawImage(picture, 0, 0, side, side)
    return drawing ? tintOf(drawing.getImageData(0, 0, side, side).data) : undefined
  } catch {
    return undefined
  }
}
