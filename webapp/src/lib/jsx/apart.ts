import { Fragment, type Key, type ReactNode, Suspense, createElement } from 'react'

type Props = { children?: ReactNode; fallback?: ReactNode }

/** Elements that hold text alone, which becomes one text in them. */
const plain = new Set<unknown>(['option', 'text', 'textarea', 'title', 'tspan'])

const isText = (child: ReactNode): child is string | number => typeof child === 'string' || typeof child === 'number'
/** Mantine's components pass their children on to one element. */
const isMantine = (type: unknown) =>
  typeof type === 'function' && 'displayName' in type && `${type.displayName}`.startsWith('@mantine/')

const wrap = (text: string, key?: Key) => createElement('span', { key }, text)

/**
 * Gives every text an element of its own, unless it is the only child of one. Browsers that translate a page, and
 * extensions, replace and move text nodes. React removes a text beside others, inserts before it and changes it by its
 * node, and fails or changes nothing when that is elsewhere. The only text of an element it sets by the element.
 */
export function textsApart(type: unknown, props: Props): Props {
  const nested = type === Fragment || type === Suspense // what is in it may be beside others
  if (typeof type !== 'string' && !nested && !isMantine(type)) return props // it renders its children in elements
  if (nested && isText(props.fallback)) return textsApart(type, { ...props, fallback: wrap(`${props.fallback}`) })
  const { children } = props
  if (Array.isArray(children)) return { ...props, children: plain.has(type) ? joined(children) : eachApart(children) }
  return nested && isText(children) ? { ...props, children: wrap(`${children}`) } : props
}

/** Neighbouring texts stay together, so that they lay out as one. The other children keep their places. */
function eachApart(children: readonly ReactNode[]): ReactNode[] {
  const apart: ReactNode[] = [...children]
  let text = ''
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at]
    if (Array.isArray(child)) apart[at] = eachApart(child as ReactNode[])
    if (!isText(child)) continue
    const before = children[at - 1]
    text = `${child}${text}`
    apart[at] = null
    if (isText(before)) continue
    if (text) apart[at] = wrap(text, `text ${at}`)
    text = ''
  }
  return apart
}

const joined = (children: readonly ReactNode[]): string => children.flat().filter(isText).join('')
