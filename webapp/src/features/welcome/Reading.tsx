import { Center, Flex, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconLayoutGrid, IconLogin2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useEntrance } from '../../data/useEntrance'
import { isWaitlisted } from '../../env'
import { welcome } from '../../i18n/welcome'
import { LinkButton } from '../../ui/LinkButton'
import classes from './welcome.module.css'

const { door, title, ways, ...labels } = welcome.reading

/** For readers: choose channels, sign in, install. */
export function Reading() {
  const { name, ...entrance } = useEntrance()
  return (
    <Paper component="section" withBorder radius={24} className={classes.door} aria-labelledby="reading">
      <Stack gap={8}>
        <Text c="brand" fz="sm" fw={650}>
          {door}
        </Text>
        <Title id="reading" order={2} size="h1">
          {title}
        </Title>
      </Stack>
      <Flex component="ol" gap={20} direction="column">
        <Way icon={<IconLayoutGrid />} {...ways.choose} />
        <Way icon={<IconLogin2 />} {...(isWaitlisted() ? ways.invited : ways.signIn)} />
        <Way icon={<IconBell />} {...ways.bell} />
      </Flex>
      <Group gap={12} maw={416}>
        <LinkButton flex="auto" to="/channels">
          {labels.choose}
        </LinkButton>
        <LinkButton flex="auto" {...entrance} variant="default">
          {labels[name]}
        </LinkButton>
      </Group>
    </Paper>
  )
}

function Way({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <Flex component="li" gap={16}>
      <Center component="span" flex="none" w={40} h={40} bdrs={12} bg="var(--accent-soft)" c="brand" aria-hidden>
        {icon}
      </Center>
      <div>
        <Title order={3}>{title}</Title>
        <Text c="dimmed">{text}</Text>
      </div>
    </Flex>
  )
}
