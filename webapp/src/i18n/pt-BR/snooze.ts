import type { snooze as original } from '../snooze'
import type { Translation } from '../translation'

/** The texts of what is postponed. Loaded after the feed. */
export const snooze = {
  action: 'Mais tarde',
  change: 'Mudar o horário',
  back: 'Trazer de volta',
  moments: { tonight: 'Hoje à noite', morning: 'Amanhã de manhã', weekend: 'No fim de semana' },
  choose: 'Escolher data e hora',
  date: 'Data e hora',
  confirm: 'Adiar',
  noDate: 'Escolha uma data e um horário.',
  past: 'Escolha um horário que ainda não passou.',
  tooLate: (moment: string) => `Escolha um horário antes de ${moment}.`,
  until: (moment: string) => `adiada até ${moment}`,
  done: (moment: string) => `Adiada até ${moment}.`,
  failed: 'Não foi possível adiar.',
} satisfies Translation<typeof original>
