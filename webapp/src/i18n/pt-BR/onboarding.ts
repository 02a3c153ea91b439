import type { onboarding as original } from '../onboarding'
import type { Translation } from '../translation'
import { plural } from './words'

/** The texts of the onboarding, separate so that the first screen does not load them. */
export const onboarding = {
  steps: 'Etapas',
  names: { interests: 'Interesses', channels: 'Canais', notifications: 'Notificações' },
  progress: (step: number, of: number) => `Etapa ${step} de ${of}`,
  done: 'concluída',
  next: 'Continuar',
  back: 'Voltar',
  skip: 'Pular tudo',
  finish: 'Ver minhas notificações',
  saveFailed: 'Não foi possível salvar esta etapa.',
  interests: {
    title: 'O que interessa a você?',
    text: 'Escolha assuntos e sugerimos canais para seguir.',
    none: 'Ainda não há assuntos',
    noneText: 'Pode continuar: assim que houver, você os encontra em Canais.',
  },
  channels: {
    title: 'Canais para começar',
    text: 'Siga os que quiser. Você pode mudar a qualquer momento.',
    empty: 'Ainda não há canais nesses assuntos. Estes são os mais seguidos.',
    none: 'Ainda não há canais',
    noneText: 'Assim que houver, você os encontra em Canais.',
    followed: (count: number, of: number) => {
      if (count === of) return 'Você já segue todos'
      return count > 0 ? `Você segue ${count} de ${of}` : plural(of, 'sugestão', 'sugestões')
    },
    followAll: (count: number, of: number) => (count === of ? 'Seguir todos' : `Seguir os outros ${count}`),
  },
  notifications: {
    title: 'Receba na hora',
    ask: 'Receba o que importa mesmo com o Sininho fechado. O navegador vai pedir sua permissão.',
    later: 'O que você seguir está sempre na página Notificações.',
    promises: [
      'Só dos canais que você segue.',
      'Cada canal tem o seu sino: tudo, o importante, um resumo por dia ou nada.',
      'Você pode desativá-las quando quiser.',
    ],
    enable: 'Ativar notificações',
    notNow: 'Agora não',
  },
} satisfies Translation<typeof original>
