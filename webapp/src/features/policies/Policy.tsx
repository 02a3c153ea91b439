import { useSuspenseQuery } from '@tanstack/react-query'
import { type PolicyName, policyQuery } from '../../data/policies'
import { policies } from '../../i18n/policies'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Policy.module.css'

/** What the operator has written about privacy or the terms of use. */
export function Policy({ name }: { name: PolicyName }) {
  const { title, html } = useSuspenseQuery(policyQuery(name)).data
  return (
    <div className={classes.policy}>
      <PageTitle className={classes.title}>{title || policies[name]}</PageTitle>
      <div className={classes.text} dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  )
}
