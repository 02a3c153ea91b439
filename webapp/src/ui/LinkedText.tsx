import { linkify } from '../lib/linkify'

/** A publisher's text. Addresses of pages, email addresses and phone numbers in it are links. */
export function LinkedText({ children, onOpen }: { children: string; onOpen?: () => void }) {
  const pieces = linkify(children, location.origin).map(({ text, href }, index) =>
    href ? (
      <a key={index} href={href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
        {text}
      </a>
    ) : (
      text
    ),
  )
  return <>{pieces}</>
}
