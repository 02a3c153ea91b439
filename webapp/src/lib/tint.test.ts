import { expect, it } from 'vitest'
import { tintOf } from './tint'

const [red, blue, white, clear] = [
  [220, 20, 20, 255],
  [20, 20, 220, 255],
  [255, 255, 255, 255],
  [0, 0, 0, 0],
]
const picture = (...pixels: (number[] | undefined)[]) => tintOf(pixels.flatMap((pixel) => pixel ?? []))

it('is the hue of the pixels that have one', () => {
  expect(picture(red, clear)).toEqual({ hue: 0, saturation: 1 })
  expect(picture(blue)).toEqual({ hue: 240, saturation: 1 })
})

it('is nearest to that of most pixels, and weaker among white ones', () => {
  expect(picture(blue, blue, blue, red).hue).toBe(259)
  expect(picture(blue, white, white, white).saturation).toBeCloseTo(0.49, 2)
})

it.each([[[white, white]], [[clear]], [[]], [[[128, 130, 127, 255]]]])('is none of %j', (pixels) => {
  expect(picture(...pixels)).toEqual({ hue: 0, saturation: 0 })
})
