import { excerpt } from '../../lib/found'
import { Marked } from '../../ui/Marked'

/** A text of a notification that was searched for. A long one begins shortly before the first match. */
const FoundText = ({ q, children }: { q: string; children: string }) => <Marked q={q}>{excerpt(children, q)}</Marked>

export default FoundText
