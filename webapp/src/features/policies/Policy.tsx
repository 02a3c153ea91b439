import { Box } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type PolicyName, policyQuery } from '../../data/policies'
import { policies } from '../../i18n/policies'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Policy.module.css'

/** What the operator has written about privacy or the terms of use. */
export function Policy({ name }: { name: PolicyName }) {
  const { title, html } = useSuspenseQuery(policyQuery(name)).data
  return (
    <Box maw="68ch" m="24px auto 64px" fz={17}>
      <PageTitle size="clamp(1rem, 9vw, 2.25rem)">{title || policies[name]}</PageTitle>
      <Box mt={24} className={classes.text} dangerouslySetInnerHTML={{ __html: html }} />
    </Box>
  )
}
