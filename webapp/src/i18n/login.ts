/** The texts of signing in, separate so that the first screen does not load them. */
export const login = {
  title: 'Entrar no Sininho',
  text: 'Para seguir canais e receber as suas notificações em todos os dispositivos.',
  toFollow: (channel: string) => `Para seguir «${channel}» e receber o que publicar.`,
  saveTitle: 'Guardar na minha conta',
  toSave: 'Os canais que segue neste navegador passam para a conta em que entrar.',
  ended: 'A sua sessão terminou. Entre novamente para voltar aonde estava.',
  google: 'Continuar com o Google',
  with: (name: string) => `Continuar com a conta ${name}`,
  pending: (name: string) => `A abrir ${name}…`,
  or: 'ou',
  invited: 'Tem um convite. Entre como quiser e crie a sua conta no Sininho.',
  support: 'Falar com quem gere o Sininho',
  byInvitation: 'Ainda não tem conta? Por agora, o Sininho é só por convite.',
  waitlist: 'Ir para a lista de espera',
  note: 'Usamos apenas o seu nome e e-mail.',

  failed: 'Não foi possível entrar. Tente novamente.',
  suspended: 'A sua conta está suspensa.',
  suspendedBecause: (reason: string) => `A sua conta está suspensa: ${reason}`,
  uninvited: 'Por agora, o Sininho é só por convite, e esta conta não tem um que seja válido.',
  unverified:
    'O serviço em que tem a conta não diz que este endereço de e-mail é seu. Confirme-o lá e tente de novo, ou entre de outra forma. Se não resultar, diga a quem gere o Sininho que falta «email_verified».',
  noEmail:
    'O serviço em que tem a conta não nos deu um endereço de e-mail. Acrescente um à sua conta e tente de novo, ou entre de outra forma. Se não resultar, diga a quem gere o Sininho que falta «email».',
  unsaved: 'Este navegador já segue canais sem conta. Entre mais uma vez, e passam para a sua conta.',
  full: 'A sua conta ficaria com mais canais ou dispositivos do que pode ter. Retire alguns e tente de novo.',
  known:
    'Já há uma conta com este endereço de e-mail. Entre da forma que usou antes; depois pode adicionar esta nas preferências.',

  email: {
    label: 'E-mail',
    example: 'nome@exemplo.pt',
    send: 'Receber um código',
    note: 'Enviamos-lhe um código. Não precisa de palavra‑passe.',
    emailMissing: 'Escreva o seu e-mail.',
    emailWrong: 'Escreva o endereço completo, como nome@exemplo.pt.',
  },

  other: {
    open: 'Entrar com outro dispositivo',
    title: 'Num dispositivo em que já entrou, abra este endereço e escreva o código:',
    waiting: 'Esta página continua assim que confirmar.',
    over: 'O código já não serve. Peça outro.',
    refused: 'O pedido foi recusado no outro dispositivo.',
    failed: 'Não foi possível pedir um código.',
  },

  code: {
    title: 'Escreva o código',
    sentTo: (email: string) => `Enviámos um e-mail para ${email} com um código.`,
    cold: 'Esta página é para o código que enviamos por e-mail a quem pede para entrar. Se pediu um neste navegador, escreva-o aqui.',
    label: 'Código de 8 algarismos',
    confirm: 'Confirmar',
    missing: 'Escreva os 8 algarismos do e-mail.',
    late: 'Não chegou? Veja também no correio não desejado.',
    ask: 'Ainda não pediu?',
    first: 'Pedir um código',
    another: 'Pedir outro código',
    over: 'Este código já não serve',
    overText: 'Expirou ou foram demasiadas tentativas.',
    elsewhere: 'Este código não serve aqui',
    elsewhereText:
      'Um código só serve no navegador onde foi pedido, uma vez e durante 15 minutos. Escreva-o lá, ou peça outro neste.',
  },
} as const
