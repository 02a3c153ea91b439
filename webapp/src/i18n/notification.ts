/** The page of a notification. Loaded with what shows a whole one. */
export const notification = {
  back: (channel: string) => `Voltar a ${channel}`,
  more: (channel: string) => `Mais de ${channel}`,
  moment: (day: string, time: string) => `${day}, ${time}`,
  /** In which language a short date is written: in European Portuguese it would have no name of a month. */
  dates: 'pt-BR',
}
