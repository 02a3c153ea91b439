import type { demo as original } from '../demo'
import type { Translation } from '../translation'
import { clock, words } from './words'

/** The texts of the demonstration. */
export const demo = {
  title: 'Demonstração',
  text: 'Escreva uma notificação e veja chegar, na hora. Ela fica visível para quem estiver aqui, durante uma hora.',
  form: 'Escrever uma notificação',
  fieldTitle: 'Título',
  fieldBody: 'Texto',
  fieldImportant: 'Importante',
  importantHint: 'Toca também para quem só quer o importante.',
  examples: [
    { name: 'Bolo', title: 'Bolo saindo do forno', body: 'De laranja, como você pediu. Venha enquanto está quente.' },
    { name: 'Ônibus', title: 'O 28 está atrasado', body: 'Uns dez minutos, por causa das obras na praça.' },
    {
      name: 'Vento',
      title: 'Alerta amarelo: vento forte',
      body: 'Desta noite até as seis. Prenda o que estiver na varanda.',
    },
  ],
  examplesLabel: 'Exemplos',
  preview: 'prévia',
  titleMissing: 'Escreva um título.',
  send: 'Enviar',
  sent: 'Enviada. Veja chegar.',
  tooMany: (until: Date) => `Você enviou muitas seguidas. Pode enviar de novo ${words.dates.at(clock(until))}.`,
  offline: 'Sem conexão. Você pode enviar assim que ela voltar.',
  arrivals: 'Chegando ao canal',
  waiting: { title: 'Ainda não chegou nada', text: 'O que você enviar aparece aqui, na hora.' },
  live: 'Ao vivo',
  connecting: 'Conectando…',
  disconnected: 'Sem conexão',
  command: 'O mesmo, a partir do seu programa',
  snippet: (name: string) => `Código para ${name}`,
  cli: 'Linha de comando',
  cliKey: 'SUA_CHAVE',
  cliHint: 'Publica com a chave de quem é dono do canal, em vez do webhook.',
  receive: {
    title: 'Receba uma no seu dispositivo',
    text: 'Ative as notificações e envie um teste para este dispositivo: chega mesmo com o Sininho fechado.',
    signIn: 'Entrar para receber',
  },
} satisfies Translation<typeof original>
