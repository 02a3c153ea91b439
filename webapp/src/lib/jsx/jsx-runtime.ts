import type { ElementType, Key } from 'react'
import * as react from 'react/jsx-runtime'
import { textsApart } from './apart'

export { Fragment } from 'react/jsx-runtime'

/** Makes an element. The compiler calls it for each one, see vite.config.ts. */
export const jsx = (type: ElementType, props: object, key?: Key) => react.jsx(type, textsApart(type, props), key)
export { jsx as jsxs }
