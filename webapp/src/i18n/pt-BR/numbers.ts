import type { numbers as original } from '../numbers'
import type { Translation } from '../translation'
import { number, plural } from './words'

/** The texts of a channel's numbers and of its month, for whoever publishes there. */
export const numbers = {
  title: 'Números',
  text: 'Os últimos 31 dias, contados pela hora universal (UTC).',
  now: 'Agora',
  followers: 'pessoas seguem',
  ringing: 'tocam',
  ringingImportant: 'tocam, se for importante',
  estimated: 'As duas últimas são estimativas.',
  tooNew: 'O gráfico dos seguidores aparece quando houver uma semana.',
  day: 'Dia',
  save: 'Salvar em CSV',
  saveOf: (title: string) => `Salvar em CSV: ${title}`,
  followersFile: 'seguidores',
  pushesFile: 'envios',
  pushes: 'Envios por dia',
  none: 'Nada foi publicado nesses dias.',
  notifications: 'Notificações',
  targeted: 'Dispositivos',
  accepted: 'Entregues',
  silent: 'Sem tocar',
  failed: 'Falharam',
  expired: 'Expiraram',
  pending: 'A entregar',
  displayed: 'Pessoas que viram',
  opened: 'Pessoas que abriram',
  why: 'Por que não chegaram ou não tocaram',
  devices: (count: number) => plural(count, 'dispositivo', 'dispositivos'),
  causes: { bell: 'a pessoa não quis que tocasse', muted: 'a pessoa silenciou o canal' },
  worked: 'As mais abertas',
  workedText: 'Das últimas 20 que você publicou.',
  nobodyOpened: 'Ninguém abriu nenhuma ainda.',
  openedBy: (opened: number, displayed: number) =>
    displayed < opened
      ? plural(opened, 'pessoa abriu', 'pessoas abriram')
      : `${plural(opened, 'pessoa abriu', 'pessoas abriram')}, de ${number(displayed)} que a viram`,

  month: {
    title: 'A publicar, por mês',
    before: 'Mês anterior',
    after: 'Próximo mês',
    count: (day: string, count: number) => `${day}: ${plural(count, 'notificação', 'notificações')}`,
    none: 'Nada sai neste mês.',
  },
} as const satisfies Translation<typeof original>
