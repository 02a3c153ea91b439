import { clock, words } from './words'

/** The texts of the demonstration. */
export const demo = {
  title: 'Demonstração',
  text: 'Escreva uma notificação e veja-a chegar, na hora. Fica à vista de quem aqui estiver, durante uma hora.',
  form: 'Escrever uma notificação',
  fieldTitle: 'Título',
  fieldBody: 'Texto',
  fieldImportant: 'Importante',
  importantHint: 'Toca também a quem só quer o importante.',
  examples: [
    {
      name: 'Bolo',
      title: 'Bolo acabado de sair do forno',
      body: 'De laranja, como pediu. Venha enquanto está quente.',
    },
    { name: 'Autocarro', title: 'O 28 está atrasado', body: 'Cerca de dez minutos, por causa das obras no largo.' },
    {
      name: 'Vento',
      title: 'Aviso amarelo: vento forte',
      body: 'Desta noite até às seis. Prenda o que tiver na varanda.',
    },
  ],
  examplesLabel: 'Exemplos',
  preview: 'pré-visualização',
  titleMissing: 'Escreva um título.',
  send: 'Enviar',
  sent: 'Enviada. Veja-a chegar.',
  tooMany: (until: Date) => `Enviou muitas seguidas. Pode voltar a enviar ${words.dates.at(clock(until))}.`,
  offline: 'Sem ligação. Pode enviar assim que ela voltar.',
  arrivals: 'A chegar ao canal',
  waiting: { title: 'Ainda não chegou nada', text: 'O que enviar aparece aqui, na hora.' },
  live: 'Ao vivo',
  connecting: 'A ligar…',
  disconnected: 'Sem ligação',
  command: 'O mesmo, a partir do seu programa',
  snippet: (name: string) => `Código para ${name}`,
  cli: 'Linha de comandos',
  cliKey: 'A_SUA_CHAVE',
  cliHint: 'Publica com a chave de quem é dono do canal, em vez do webhook.',
  receive: {
    title: 'Receba uma no seu dispositivo',
    text: 'Ative as notificações e envie um teste a este dispositivo: chega mesmo com o Sininho fechado.',
    signIn: 'Entrar para receber',
  },
} as const
