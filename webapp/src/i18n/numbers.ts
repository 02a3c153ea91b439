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
  save: 'Guardar em CSV',
  saveOf: (title: string) => `Guardar em CSV: ${title}`,
  followersFile: 'seguidores',
  pushesFile: 'envios',
  pushes: 'Envios por dia',
  none: 'Nada foi publicado nestes dias.',
  notifications: 'Notificações',
  targeted: 'Dispositivos',
  accepted: 'Entregues',
  silent: 'Sem tocar',
  failed: 'Falharam',
  expired: 'Expiraram',
  pending: 'Por entregar',
  displayed: 'Pessoas que viram',
  opened: 'Pessoas que abriram',
  why: 'Porque não chegaram ou não tocaram',
  devices: (count: number) => plural(count, 'dispositivo', 'dispositivos'),
  causes: { bell: 'a pessoa não quis que tocasse', muted: 'a pessoa silenciou o canal' } as Record<string, string>,
  worked: 'As mais abertas',
  workedText: 'Das últimas 20 que publicou.',
  nobodyOpened: 'Ainda ninguém abriu nenhuma.',
  openedBy: (opened: number, displayed: number) =>
    displayed < opened
      ? plural(opened, 'pessoa abriu', 'pessoas abriram')
      : `${plural(opened, 'pessoa abriu', 'pessoas abriram')}, de ${number(displayed)} que a viram`,

  month: {
    title: 'Por publicar, por mês',
    before: 'Mês anterior',
    after: 'Mês seguinte',
    count: (day: string, count: number) => `${day}: ${plural(count, 'notificação', 'notificações')}`,
    none: 'Nada sai neste mês.',
  },
} as const
