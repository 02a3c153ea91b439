import { Box, Paper, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './admin.module.css'

type Props = {
  title?: string
  text?: string
  /** The first names the rows. */
  columns: readonly string[]
  /** The name of each row, and its values. */
  rows: readonly (readonly [name: string, ...values: ReactNode[]])[]
  /** The values are no numbers. */
  words?: boolean
}

/** A table that scrolls on narrow screens; on phones, each row is a name with its values below it. */
export function DataTable({ title, text, columns, rows, words = false }: Props) {
  const align = words ? undefined : 'end'
  return (
    <Paper withBorder p={16}>
      <Stack>
        {title && (
          <Title order={2} size="h3">
            {title}
          </Title>
        )}
        {text && <Text c="dimmed">{text}</Text>}
        {rows.length > 0 && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on narrow screens
          <Box tabIndex={0} role="region" aria-label={title} style={{ overflowX: 'auto' }}>
            <Table className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((column, index) => (
                    <Table.Th key={column} scope="col" ta={index > 0 ? align : undefined}>
                      {column}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(([name, ...values]) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row">{words ? <code>{name}</code> : name}</Table.Th>
                    {values.map((value, index) => (
                      <Table.Td key={columns[index + 1]} ta={align} data-label={words ? undefined : columns[index + 1]}>
                        <span>{value}</span>
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        )}
      </Stack>
    </Paper>
  )
}
