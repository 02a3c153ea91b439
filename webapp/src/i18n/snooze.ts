/** The texts of what is postponed. Loaded after the feed. */
export const snooze = {
  action: 'Mais tarde',
  change: 'Mudar a hora',
  back: 'Trazer de volta',
  moments: { tonight: 'Hoje à noite', morning: 'Amanhã de manhã', weekend: 'No fim de semana' },
  choose: 'Escolher data e hora',
  date: 'Data e hora',
  confirm: 'Adiar',
  noDate: 'Escolha uma data e uma hora.',
  past: 'Escolha uma hora que ainda não passou.',
  tooLate: (moment: string) => `Escolha uma hora antes de ${moment}.`,
  until: (moment: string) => `adiada até ${moment}`,
  done: (moment: string) => `Adiada até ${moment}.`,
  failed: 'Não foi possível adiar.',
}
