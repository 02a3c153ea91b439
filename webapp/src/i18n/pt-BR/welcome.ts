import type { welcome as original } from '../welcome'
import type { Translation } from '../translation'

/** The texts of the lower part of the first screen, separate because it is loaded later. */
export const welcome = {
  latest: {
    title: 'As últimas',
    text: 'O que sai nos canais públicos aparece aqui na hora, sem recarregar e sem conta.',
    live: 'Ao vivo',
    connecting: 'Conectando…',
    paused: 'Pausado',
    pause: 'Parar de atualizar',
    resume: 'Voltar a atualizar',
  },
} as const satisfies Translation<typeof original>
