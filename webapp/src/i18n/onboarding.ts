import { plural } from './words'

/** The texts of the onboarding, separate so that the first screen does not load them. */
export const onboarding = {
  steps: 'Passos',
  names: { interests: 'Interesses', channels: 'Canais', notifications: 'Notificações' },
  progress: (step: number, of: number) => `Passo ${step} de ${of}`,
  done: 'feito',
  next: 'Continuar',
  back: 'Voltar',
  skip: 'Saltar tudo',
  finish: 'Ver as minhas notificações',
  saveFailed: 'Não foi possível guardar este passo.',
  interests: {
    title: 'O que lhe interessa?',
    text: 'Escolha assuntos e sugerimos canais para seguir.',
    none: 'Ainda não há assuntos',
    noneText: 'Pode continuar: assim que houver, encontra-os em Canais.',
  },
  channels: {
    title: 'Canais para começar',
    text: 'Siga os que quiser. Pode mudar a qualquer momento.',
    empty: 'Ainda não há canais nestes assuntos. Estes são os mais seguidos.',
    none: 'Ainda não há canais',
    noneText: 'Assim que houver, encontra-os em Canais.',
    followed: (count: number, of: number) => {
      if (count === of) return 'Já segue todos'
      return count > 0 ? `Segue ${count} de ${of}` : plural(of, 'sugestão', 'sugestões')
    },
    followAll: (count: number, of: number) => (count === of ? 'Seguir todos' : `Seguir os outros ${count}`),
  },
  notifications: {
    title: 'Receba na hora',
    ask: 'Receba o que importa mesmo com o Sininho fechado. O navegador vai pedir a sua permissão.',
    later: 'O que seguir está sempre na página Notificações.',
    promises: [
      'Só dos canais que segue.',
      'Cada canal tem o seu sino: tudo, o importante, um resumo por dia ou nada.',
      'Pode desligá-las quando quiser.',
    ],
    enable: 'Ativar notificações',
    notNow: 'Agora não',
  },
}
