import type { receive as original } from '../receive'
import type { Translation } from '../translation'

/** The texts of receiving a channel, with an account or without one. */
export const receive = {
  action: 'Receber',
  actionName: (channel: string) => `Receber ${channel}`,
  without: 'Sem conta, só neste navegador.',
  account: 'Já tenho conta',
  ready: 'Só falta um toque: as notificações chegam a este dispositivo.',
  steps: 'No iPhone e no iPad são dois passos:',
  after: 'Abra o Sininho a partir dali: ele traz este canal e pergunta.',

  save: 'Guardar na minha conta',
  onlyHere: 'O que você segue está só neste navegador.',
  more: 'Ver mais canais de que você pode gostar',
} as const satisfies Translation<typeof original>
