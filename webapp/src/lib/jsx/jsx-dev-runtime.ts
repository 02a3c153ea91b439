import type { ElementType, Key } from 'react'
import * as react from 'react/jsx-dev-runtime'
import { textsApart } from './apart'

export { Fragment } from 'react/jsx-dev-runtime'

type More = Parameters<typeof react.jsxDEV> extends [unknown, unknown, unknown, unknown, ...infer Rest] ? Rest : never

/** Makes an element in development and in tests. */
export function jsxDEV(type: ElementType, props: object, key: Key | undefined, isStatic: boolean, ...more: More) {
  const apart = textsApart(type, props)
  return react.jsxDEV(type, apart, key, isStatic && Array.isArray(apart.children), ...more)
}
