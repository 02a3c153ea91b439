/** The texts of the lower part of the first screen, separate because it is loaded later. */
export const welcome = {
  latest: {
    title: 'As últimas',
    text: 'O que sai nos canais públicos aparece aqui na hora, sem recarregar e sem conta.',
    live: 'Ao vivo',
    connecting: 'A ligar…',
    paused: 'Em pausa',
    pause: 'Parar de atualizar',
    resume: 'Voltar a atualizar',
  },
} as const
