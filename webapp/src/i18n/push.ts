/** The texts about push on this device. */
export const push = {
  title: 'Notificações neste dispositivo',
  text: 'Receba o que importa mesmo com o Sininho fechado.',
  enable: 'Ativar notificações',
  silent: 'Este dispositivo não toca.',
  ring: 'Ativar',
  later: 'Agora não',
  enabled: 'Este dispositivo recebe notificações.',
  disable: 'Desativar neste dispositivo',
  disabled: 'Este dispositivo deixou de receber notificações.',
  preview: { when: 'agora', title: 'Linha azul reaberta', body: 'Assim aparece uma notificação no seu dispositivo.' },
  denied:
    'As notificações estão bloqueadas neste navegador. Para as permitir, abra as permissões deste site junto ao endereço da página, escolha «Permitir» em Notificações e volte aqui.',
  dismissed: 'A permissão não foi dada. Pode tentar novamente quando quiser.',
  unsupported: 'Este navegador não recebe notificações. O que seguir está sempre na página Notificações.',
  install:
    'No iPhone e no iPad, as notificações chegam depois de instalar o Sininho: toque no botão com a seta para cima, escolha «Adicionar ao ecrã principal» e abra-o a partir daí.',
  failed: 'Não foi possível ativar as notificações.',
  unreachable:
    'Não foi possível chegar ao serviço de notificações do navegador. Verifique a ligação, ou se algo o bloqueia, e tente novamente. Entretanto, tudo continua a chegar à página Notificações.',
} as const

const unknownSystem = 'dispositivo desconhecido'

/** The texts about a person's devices. */
export const devices = {
  text: 'Os dispositivos que recebem as suas notificações, mesmo com o Sininho fechado.',
  addThis: 'Receber também neste dispositivo',
  current: 'Este dispositivo',
  lastSeen: (when: string) => `Visto ${when}`,
  ringsSince: (date: string) => `Toca desde ${date}`,
  silent: 'Ainda não tocou',
  shown: (date: string) => `Mostrou notificações pela última vez em ${date}`,
  quiet: (date: string) => `Não mostra nada desde ${date}. Veja se está ligado e se lá as notificações são permitidas.`,
  quietNotice: (device: string, date: string) => `${device} não mostra notificações desde ${date}.`,
  quietHide: (device: string) => `Não avisar mais sobre ${device}`,
  testAwaited: 'À espera de que o dispositivo o mostre…',
  testShown: 'O dispositivo mostrou o teste.',
  testUnseen: 'O dispositivo ainda não o mostrou. Veja se está ligado e se lá as notificações são permitidas.',
  test: 'Enviar teste',
  testName: (device: string) => `Enviar teste para ${device}`,
  testSent: 'Teste enviado. Deve chegar dentro de instantes.',
  testUnreachable:
    'Não foi possível chegar ao serviço de notificações. Tente mais tarde; entretanto, tudo continua a chegar à página Notificações.',
  testFailed: 'O serviço de notificações recusou o teste. Desative e volte a ativar as notificações nesse dispositivo.',
  rename: (device: string) => `Mudar o nome de ${device}`,
  newName: 'Novo nome',
  nameMissing: 'Escreva um nome.',
  renameFailed: 'Não foi possível mudar o nome do dispositivo.',
  remove: 'Remover',
  removeName: (device: string) => `Remover ${device}`,
  removeQuestion: (device: string) => `Remover ${device}?`,
  removeText: 'Esse dispositivo deixa de receber notificações até voltar a ativá-las nele.',
  removed: 'Dispositivo removido.',
  removeFailed: 'Não foi possível remover o dispositivo.',
  empty: 'Nenhum dispositivo recebe notificações.',
  name: (browser: string, system: string) => `${browser} ${system === unknownSystem ? 'em' : 'no'} ${system}`,
  unknownBrowser: 'Navegador',
  unknownSystem,
} as const
