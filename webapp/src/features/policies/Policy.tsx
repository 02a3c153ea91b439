import { useSuspenseQuery } from '@tanstack/react-query'
import { type PolicyName, policyQuery } from '../../data/policies'
import { policies } from '../../i18n/policies'
import { LinkedText } from '../../ui/LinkedText'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Policy.module.css'
import { type Block, readMarkdown, readSpans } from './markdown'

/** What the operator has written about privacy or the terms of use. */
export function Policy({ name }: { name: PolicyName }) {
  const { data } = useSuspenseQuery(policyQuery(name))
  const { title = policies[name], blocks } = readMarkdown(data)
  return (
    <div className={classes.policy}>
      <PageTitle className={classes.title}>{title}</PageTitle>
      {blocks.map((block, index) => (
        <Part key={index} block={block} />
      ))}
    </div>
  )
}

function Part({ block }: { block: Block }) {
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul'
    return (
      <List className={classes.list} dir="auto">
        {block.items.map((text, index) => (
          <li key={index}>
            <Line>{text}</Line>
          </li>
        ))}
      </List>
    )
  }
  const Element = block.kind === 'paragraph' ? 'p' : (`h${block.level}` as const)
  return (
    <Element dir="auto">
      <Line>{block.text}</Line>
    </Element>
  )
}

function Line({ children }: { children: string }) {
  return readSpans(children).map(({ text, bold, href }, index) => {
    if (href) {
      return (
        <a key={index} href={href}>
          {text}
        </a>
      )
    }
    if (bold) return <strong key={index}>{text}</strong>
    return <LinkedText key={index}>{text}</LinkedText>
  })
}
