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
  reading: {
    door: 'Ler',
    title: 'Quer ficar a saber?',
    ways: {
      choose: { title: 'Escolha os canais', text: 'Por nome ou por assunto. Para ver, não é precisa conta.' },
      signIn: { title: 'Entre', text: 'E tem o que segue em todos os seus dispositivos.' },
      invited: { title: 'Peça um convite', text: 'Por agora, é assim que se entra. Há uma lista de espera.' },
      install: { title: 'Instale', text: 'Com o sino ativo, as notificações chegam mesmo com o Sininho fechado.' },
    },
    choose: 'Ver os canais',
    signIn: 'Entrar',
    waitlist: 'Ir para a lista de espera',
    feed: 'Ver as notificações',
  },
  publishing: {
    door: 'Publicar',
    title: 'Tem algo para dizer?',
    text: 'Publique uma vez e chega a cada seguidor: à página, ao vivo e a cada dispositivo que o quer.',
    demo: 'Experimentar sem conta',
    api: 'Um pedido HTTP com a chave do seu canal.',
    go: 'Uma chamada, que pode ser repetida sem publicar duas vezes.',
    cli: 'De um terminal, de um script ou do CI.',
    ways: 'Como publicar',
  },
  docs: 'Documentação (em inglês)',
  footer: {
    label: 'Rodapé',
    language: 'Língua',
    line: 'Sininho: canais de notificações, no seu próprio servidor.',
    contract: 'Contrato da API',
    support: 'Suporte',
  },
} as const
