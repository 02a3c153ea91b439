import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { settings } from '../../i18n/settings'
import { Button } from '../../ui/Button'
import classes from './account.module.css'
import { exportMutation } from './mutations'

export function ExportButton() {
  const save = useMutation(exportMutation())
  return (
    <div className={classes.panel}>
      <p className={classes.text}>{settings.account.exportText}</p>
      <Button
        variant="default"
        size="md"
        leftSection={<IconDownload size={20} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {settings.account.export}
      </Button>
    </div>
  )
}
