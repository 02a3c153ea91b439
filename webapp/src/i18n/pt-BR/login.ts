import type { login as original } from '../login'
import type { Translation } from '../translation'

/** The texts of signing in, separate so that the first screen does not load them. */
export const login = {
  title: 'Entrar no Sininho',
  text: 'Para seguir canais e receber suas notificações em todos os dispositivos.',
  toFollow: (channel: string) => `Para seguir “${channel}” e receber o que o canal publicar.`,
  saveTitle: 'Guardar na minha conta',
  toSave: 'Os canais que você segue neste navegador passam para a conta em que entrar.',
  ended: 'Sua sessão foi encerrada. Entre de novo para voltar aonde você estava.',
  google: 'Continuar com o Google',
  with: (name: string) => `Continuar com a conta ${name}`,
  pending: (name: string) => `Abrindo ${name}…`,
  or: 'ou',
  invited: 'Você tem um convite. Entre com a conta que quiser para criar sua conta no Sininho.',
  support: 'Falar com quem administra o Sininho',
  byInvitation: 'Ainda não tem conta? Por enquanto, é preciso ter um convite.',
  waitlist: 'Ir para a lista de espera',
  note: 'Usamos apenas seu nome e e-mail.',

  failed: 'Não foi possível entrar. Tente de novo.',
  suspended: 'Sua conta está suspensa.',
  suspendedBecause: (reason: string) => `Sua conta está suspensa: ${reason}`,
  uninvited: 'Por enquanto, só entra quem tem convite, e esta conta não tem um convite válido.',
  unverified:
    'O serviço em que você tem a conta não diz que este endereço de e-mail é seu. Confirme o endereço lá e tente de novo, ou entre de outra forma. Se não der certo, avise quem administra o Sininho que falta “email_verified”.',
  noEmail:
    'O serviço em que você tem a conta não nos deu um endereço de e-mail. Adicione um à sua conta e tente de novo, ou entre de outra forma. Se não der certo, avise quem administra o Sininho que falta “email”.',
  unsaved: 'Este navegador já segue canais sem conta. Entre mais uma vez, e eles passam para a sua conta.',
  full: 'Sua conta ficaria com mais canais ou dispositivos do que pode ter. Remova alguns e tente de novo.',
  known:
    'Já existe uma conta com este endereço de e-mail. Entre da forma que você usou antes; depois, você pode adicionar esta nas configurações.',

  email: {
    label: 'E-mail',
    example: 'nome@exemplo.com.br',
    send: 'Receber um código',
    note: 'Enviamos um código de 8 dígitos. Não precisa de senha.',
    emailMissing: 'Digite seu e-mail.',
    emailWrong: 'Digite o endereço completo, como nome@exemplo.com.br.',
  },

  other: {
    open: 'Entrar com outro dispositivo',
    title: 'Em um dispositivo em que você já entrou, abra este endereço e digite o código:',
    waiting: 'Esta página continua assim que você confirmar.',
    over: 'O código não serve mais. Peça outro.',
    refused: 'O pedido foi recusado no outro dispositivo.',
    failed: 'Não foi possível pedir um código.',
  },

  code: {
    title: 'Digite o código',
    sentTo: (email: string) => `Enviamos um e-mail para ${email} com um código.`,
    cold: 'Esta página é para o código que enviamos por e-mail a quem pede para entrar. Se você pediu um neste navegador, digite-o aqui.',
    label: 'Código de 8 dígitos',
    confirm: 'Confirmar',
    missing: 'Digite os 8 dígitos do e-mail.',
    late: 'Não chegou? Veja também na caixa de spam.',
    ask: 'Ainda não pediu?',
    first: 'Pedir um código',
    another: 'Pedir outro código',
    over: 'Este código não vale mais',
    overText: 'Ele expirou ou houve tentativas demais.',
    elsewhere: 'Este código não vale aqui',
    elsewhereText:
      'Um código só vale no navegador em que foi pedido, uma vez e por 15 minutos. Digite-o lá ou peça outro neste.',
  },
} satisfies Translation<typeof original>
