import type { settings as original } from '../settings'
import type { Translation } from '../translation'
import { plural, words } from './words'

const since = (time: string) => (time.startsWith('01') ? `da ${time}` : `das ${time}`)

/** The settings' texts, separate so that the first screen does not load them. */
export const settings = {
  parts: 'Partes das configurações',
  /** Title of the window in a section. */
  window: (section: string) => `${section} · Configurações · Sininho`,
  operators: 'Administração',

  /** The sections, each with what it holds. */
  sections: {
    profile: { title: 'Perfil', text: 'Nome, idioma e fuso horário' },
    notifications: { title: 'Notificações', text: 'Neste dispositivo, silêncio e sino' },
    devices: { title: 'Dispositivos', text: 'Onde você recebe notificações' },
    app: { title: 'Aplicativo', text: 'Aparência e instalação' },
    security: { title: 'Segurança', text: 'Formas de entrar e sessões' },
    publishing: { title: 'Publicação', text: 'Os canais que você gerencia e os convites' },
    tokens: { title: 'Tokens de acesso', text: 'Programas que agem em seu nome' },
    data: { title: 'Seus dados', text: 'Exportar tudo ou excluir a conta' },
  },
  /** What a section is set to, instead of what it holds. */
  now: {
    pushOn: 'Ativadas neste dispositivo',
    pushOff: 'Desativadas neste dispositivo',
    devices: (count: number) => (count === 0 ? 'Nenhum' : plural(count, 'dispositivo', 'dispositivos')),
    theme: { auto: 'Aparência automática', light: 'Aparência clara', dark: 'Aparência escura' },
    installed: (theme: string) => `${theme}, instalado`,
  },

  theme: 'Aparência',
  themes: { auto: 'Automática', light: 'Clara', dark: 'Escura' },

  install: {
    title: 'Instalar o Sininho',
    why: 'Ele abre em uma janela própria, e o ícone mostra quantas notificações não foram lidas.',
    action: 'Instalar',
    accepted: 'Pronto. Procure o Sininho entre os seus aplicativos.',
    installed: 'O Sininho está instalado, e é nele que você está agora.',
    failed: 'Não foi possível instalar.',
    /** The steps on iPhone and iPad. */
    steps: [
      { name: 'Compartilhar', text: 'Toque em Compartilhar, o quadrado com a seta para cima.' },
      { name: 'Adicionar', text: 'Escolha “Adicionar à Tela de Início”.' },
    ],
    elsewhere: 'Procure “Instalar” ou “Adicionar à tela inicial” no menu do navegador. Nem todos oferecem isso.',
  },

  profile: {
    form: 'Dados do perfil',
    name: 'Nome',
    nameMissing: 'Digite um nome.',
    language: 'Idioma',
    languageHint: 'Usado nas páginas e nos e-mails do Sininho. Os canais publicam no idioma que quiserem.',
    timezone: 'Fuso horário',
    timeThere: (time: string) => `Agora são ${time} nesse fuso.`,
    ofDevice: 'Usar o deste dispositivo',
    saved: 'Perfil salvo.',
  },

  bellDefault: {
    title: 'Sino de canais novos',
    text: 'Como toca um canal que você começa a seguir. Para mudar o sino de um canal, use o sino ao lado dele.',
  },

  digest: {
    title: 'Resumo diário',
    text: 'Uma vez por dia, quantas notificações chegaram dos canais com o sino em “Resumo diário” e ainda não foram lidas. O importante toca na hora.',
    none: 'Nenhum canal está no resumo. Escolha “Resumo diário” no sino de um canal, ou “Juntar em um resumo” no menu de uma notificação.',
    at: 'Hora do resumo',
    quiet: (end: string) => `É no horário de silêncio: o resumo chega ${words.dates.at(end)}, quando ele acabar.`,
  },

  quiet: {
    title: 'Horário de silêncio',
    text: 'O que chegar nesse horário vem em um só resumo quando ele acabar.',
    on: 'Usar horário de silêncio',
    from: 'Das',
    to: 'Às',
    sentence: (start: string, end: string) => `Silêncio ${since(start)} ${words.dates.at(end)}.`,
    sentenceOverMidnight: (start: string, end: string) =>
      `Silêncio ${since(start)} ${words.dates.at(end)} do dia seguinte.`,
    timezone: (timezone: string) => `No fuso horário de ${timezone}, que você muda no perfil.`,
    elsewhere: (timezone: string) => `Este dispositivo está em outro fuso: ${timezone}.`,
  },

  tokens: {
    title: 'Tokens de acesso',
    text: 'Cada token permite que um programa aja em seu nome. Revogue os que você não usa mais.',
    empty: 'Nenhum programa tem acesso',
    emptyText:
      'Um token permite que um programa aja em seu nome: um script que lê suas notificações, por exemplo, ou a linha de comando com que você publica.',
    how: 'Como usar tokens',
    hint: (hint: string) => `sna_live_…${hint}`,
    used: (when: string) => `usado ${when}`,
    unused: 'nunca usado',
    expires: (date: string) => `válido até ${date}`,
    expired: (date: string) => `expirou em ${date}`,
    create: 'Criar token',
    form: 'Novo token de acesso',
    name: 'Nome',
    nameHint: 'Para reconhecê-lo mais tarde, como “backup”.',
    nameMissing: 'Digite um nome.',
    may: 'Permissões',
    permissions: {
      all: 'Fazer tudo o que eu posso',
      read: 'Só ler',
      publish: 'Só publicar',
      readAndPublish: 'Ler e publicar',
    },
    scopes: (scopes: readonly string[]) => {
      const [reads, publishes] = [scopes.includes('read'), scopes.includes('publish')]
      if (scopes.includes('manage')) return 'acesso total'
      if (reads && publishes) return 'leitura e publicação'
      return publishes ? 'só publicação' : 'só leitura'
    },
    expiry: 'Válido por',
    expiries: { '30': '30 dias', '90': '90 dias', '365': '1 ano' },
    createFailed: 'Não foi possível criar o token.',
    secret: (name: string) => `O token “${name}” está pronto`,
    secretHint: 'Copie-o agora e guarde-o em um lugar seguro: ele não será mostrado de novo.',
    secretDone: 'Já guardei',
    revoke: 'Revogar',
    revokeName: (name: string) => `Revogar ${name}`,
    revokeQuestion: (name: string) => `Revogar “${name}”?`,
    revokeText:
      'O programa que o usa perde o acesso imediatamente, assim como os tokens que ele criou. Não é possível desfazer.',
    revoked: 'Token revogado.',
    revokeFailed: 'Não foi possível revogar o token.',
  },

  identities: {
    title: 'Formas de entrar',
    text: 'As contas e os endereços com que você entra aqui. A primeira define o e-mail da conta.',
    email: 'E-mail',
    used: (when: string) => `usada ${when}`,
    unused: 'ainda não usada',
    since: (date: string) => `adicionada em ${date}`,
    gone: 'esta instalação não a oferece mais',
    remove: 'Remover',
    removeName: (name: string) => `Remover ${name}`,
    removeQuestion: (name: string) => `Remover “${name}”?`,
    removeText: 'Você não vai mais poder entrar desta forma. As sessões já iniciadas continuam.',
    removed: 'Forma de entrar removida.',
    add: 'Adicionar forma de entrar',
    addOf: (name: string) => `Adicionar ${name}`,
    addEmail: 'Adicionar um e-mail',
    addFailed: 'Não foi possível adicionar esta forma de entrar.',
    newEmail: 'E-mail',
    newEmailHint: 'Enviamos um código para você confirmar que é seu.',
    emailMissing: 'Digite um e-mail.',
    emailWrong: 'Digite o endereço completo, como nome@exemplo.com.br.',
    send: 'Enviar código',
    errors: {
      unverified:
        'Não foi adicionada: esse serviço não diz que o endereço de e-mail é seu. Confirme o endereço lá, ou avise quem administra o Sininho que falta “email_verified”.',
      no_email:
        'Não foi adicionada: esse serviço não nos deu um endereço de e-mail. Adicione um lá, ou avise quem administra o Sininho que falta “email”.',
      taken: 'Não foi adicionada: já há outra conta que entra desta forma. Se for sua, exclua essa conta primeiro.',
      known_address: 'Não foi adicionada: o endereço de e-mail dela é o de outra conta.',
      too_many: 'Não foi adicionada: uma conta tem no máximo 10 formas de entrar. Remova uma primeiro.',
    },
  },

  sessions: {
    title: 'Sessões',
    text: 'Os navegadores em que sua conta está aberta. Encerre as que você não reconhece ou não usa mais.',
    name: (browser = 'Navegador', system?: string) => (system ? `${browser} no ${system}` : browser),
    current: 'Esta sessão',
    used: (when: string) => `usada ${when}`,
    since: (date: string) => `iniciada em ${date}`,
    network: (network: string) => `IP ${network}`,
    end: 'Encerrar',
    endName: (name: string) => `Encerrar ${name}`,
    endQuestion: (name: string) => `Encerrar “${name}”?`,
    endText: 'Esse navegador sai da sua conta imediatamente e deixa de receber notificações.',
    ended: 'Sessão encerrada.',
    endFailed: 'Não foi possível encerrar a sessão.',
    endOthers: 'Encerrar as outras sessões',
    endOthersQuestion: 'Encerrar as outras sessões?',
    endOthersText:
      'Os outros navegadores saem da sua conta imediatamente e deixam de receber notificações. Os tokens de acesso continuam válidos.',
    othersEnded: 'As outras sessões foram encerradas.',
    endOthersFailed: 'Não foi possível encerrar as outras sessões.',
  },

  feedAddress: {
    title: 'Endereço do seu feed',
    text: 'Um endereço secreto com o qual um leitor de feeds mostra tudo o que você segue, também os canais privados. Quem souber o endereço lê o mesmo, e nada mais.',
    how: 'Como funcionam os feeds',
    make: 'Criar endereço',
    makeFailed: 'Não foi possível criar o endereço.',
    made: 'Endereço do seu feed, em Atom',
    madeHint: 'Copie agora: ele não será mostrado de novo. Com .json no fim em vez de .atom é um JSON Feed.',
    done: 'Já copiei',
    hint: (hint: string) => `/feeds/snf_live_…${hint}`,
    since: (date: string) => `desde ${date}`,
    renew: 'Substituir endereço',
    renewQuestion: 'Substituir o endereço do seu feed?',
    renewText: 'O que lê o endereço atual deixa de funcionar.',
    end: 'Excluir endereço',
    endQuestion: 'Excluir o endereço do seu feed?',
    endText: 'O que lê esse endereço deixa de funcionar.',
    ended: 'Endereço excluído.',
    endFailed: 'Não foi possível excluir o endereço.',
  },

  account: {
    copy: 'Exportar',
    exportText: 'Tudo o que guardamos sobre você, em um documento JSON que você pode levar.',
    export: 'Exportar meus dados',
    exportName: (day: string) => `sininho-meus-dados-${day}.json`,
    exported: 'Seus dados foram salvos neste dispositivo.',
    exportFailed: 'Não foi possível exportar seus dados.',
    remove: 'Excluir a conta',
    removeText: 'Exclui de vez tudo o que guardamos sobre você:',
    removed: [
      'o perfil e as configurações',
      'os canais que você segue e o que leu neles',
      'os dispositivos, que deixam de receber notificações',
      'as sessões e os tokens de acesso, em todo lugar',
    ],
    removeFinal: 'Não é possível desfazer.',
    confirmation: 'excluir',
    confirm: (word: string) => `Para confirmar, digite “${word}”`,
    removeForGood: 'Excluir para sempre',
    gone: 'Sua conta foi excluída.',
  },
} satisfies Translation<typeof original>
