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
  reading: {
    door: 'Ler',
    title: 'Quer ficar sabendo?',
    ways: {
      choose: { title: 'Escolha os canais', text: 'Por nome ou por assunto. Para ver, você não precisa de conta.' },
      signIn: { title: 'Entre', text: 'E tenha o que você segue em todos os seus dispositivos.' },
      invited: { title: 'Peça um convite', text: 'Por enquanto, é assim que se entra. Há uma lista de espera.' },
      bell: { title: 'Ative o sino', text: 'Instale o Sininho e as notificações chegam mesmo com ele fechado.' },
    },
    choose: 'Ver os canais',
    signIn: 'Entrar',
    waitlist: 'Ir para a lista de espera',
    feed: 'Ver as notificações',
  },
  publishing: {
    door: 'Publicar',
    title: 'Tem algo a dizer?',
    text: 'Escreva no navegador, ou publique por um programa, e chegue a cada seguidor: na página, ao vivo e em cada dispositivo que quiser receber.',
    demo: 'Experimentar',
    guide: 'Como publicar',
    api: 'Uma requisição HTTP com a chave do seu canal.',
    go: 'Uma chamada, que pode ser repetida sem publicar duas vezes.',
    cli: 'De um terminal, de um script ou do CI.',
    ways: 'Como publicar',
  },
  guide: 'Como publicar',
  docs: 'Documentação (em inglês)',
  footer: {
    label: 'Rodapé',
    language: 'Idioma',
    line: 'Sininho: canais de notificações, no seu próprio servidor.',
    contract: 'Contrato da API',
    support: 'Suporte',
  },
} as const satisfies Translation<typeof original>
