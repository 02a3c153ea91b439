import type { devices as originalDevices, push as originalPush } from '../push'
import type { Translation } from '../translation'

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
  disabled: 'Este dispositivo não recebe mais notificações.',
  preview: {
    when: 'agora',
    title: 'Linha azul reaberta',
    body: 'É assim que uma notificação aparece no seu dispositivo.',
  },
  denied:
    'As notificações estão bloqueadas neste navegador. Para permitir, abra as permissões deste site ao lado do endereço da página, escolha “Permitir” em Notificações e volte aqui.',
  dismissed: 'A permissão não foi concedida. Você pode tentar de novo quando quiser.',
  unsupported: 'Este navegador não recebe notificações. O que você seguir está sempre na página Notificações.',
  install:
    'No iPhone e no iPad, as notificações chegam depois que você instala o Sininho: toque no botão com a seta para cima, escolha “Adicionar à Tela de Início” e abra o Sininho por lá.',
  failed: 'Não foi possível ativar as notificações.',
  unreachable:
    'Não foi possível acessar o serviço de notificações do navegador. Verifique a conexão, ou se algo o bloqueia, e tente de novo. Enquanto isso, tudo continua chegando à página Notificações.',
} satisfies Translation<typeof originalPush>

const unknownSystem = 'dispositivo desconhecido'

/** The texts about a person's devices. */
export const devices = {
  text: 'Os dispositivos que recebem suas notificações, mesmo com o Sininho fechado.',
  addThis: 'Receber também neste dispositivo',
  current: 'Este dispositivo',
  lastSeen: (when: string) => `Visto ${when}`,
  ringsSince: (date: string) => `Toca desde ${date}`,
  silent: 'Ainda não tocou',
  shown: (date: string) => `Mostrou notificações pela última vez em ${date}`,
  quiet: (date: string) =>
    `Não mostra nada desde ${date}. Veja se está ligado e se as notificações são permitidas nele.`,
  quietNotice: (device: string, date: string) => `${device} não mostra notificações desde ${date}.`,
  quietHide: (device: string) => `Não avisar mais sobre ${device}`,
  testAwaited: 'Esperando que o dispositivo o mostre…',
  testShown: 'O dispositivo mostrou o teste.',
  testUnseen: 'O dispositivo ainda não o mostrou. Veja se está ligado e se as notificações são permitidas nele.',
  test: 'Enviar teste',
  testName: (device: string) => `Enviar teste para ${device}`,
  testSent: 'Teste enviado. Deve chegar em instantes.',
  testUnreachable:
    'Não foi possível acessar o serviço de notificações. Tente mais tarde; enquanto isso, tudo continua chegando à página Notificações.',
  testFailed: 'O serviço de notificações recusou o teste. Desative e ative de novo as notificações nesse dispositivo.',
  rename: (device: string) => `Mudar o nome de ${device}`,
  newName: 'Novo nome',
  nameMissing: 'Digite um nome.',
  renameFailed: 'Não foi possível mudar o nome do dispositivo.',
  remove: 'Remover',
  removeName: (device: string) => `Remover ${device}`,
  removeQuestion: (device: string) => `Remover ${device}?`,
  removeText: 'Esse dispositivo não recebe mais notificações até que você as ative nele de novo.',
  removed: 'Dispositivo removido.',
  removeFailed: 'Não foi possível remover o dispositivo.',
  empty: 'Nenhum dispositivo recebe notificações.',
  name: (browser: string, system: string) => `${browser} ${system === unknownSystem ? 'em' : 'no'} ${system}`,
  unknownBrowser: 'Navegador',
  unknownSystem,
} satisfies Translation<typeof originalDevices>
