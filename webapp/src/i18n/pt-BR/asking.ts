import type { asking as original } from '../asking'
import type { Translation } from '../translation'

/** The texts with which a person asks the operators to publish. */
export const asking = {
  title: 'Peça para publicar aqui',
  text: 'Quem opera o servidor vê cada pedido e responde. Depois você cria seus canais.',
  form: 'Seu pedido',
  name: 'Quem publica',
  nameHint: 'A escola, a empresa, o grupo ou seu nome.',
  nameMissing: 'Escreva um nome.',
  reason: 'Para quê?',
  reasonHint: 'Por exemplo “Avisos aos pais da turma 7B”.',
  send: 'Enviar o pedido',
  sent: 'Pedido enviado.',
  pending: 'O pedido está sendo analisado',
  pendingText: (name: string) =>
    `Você pediu para publicar como “${name}”. A resposta aparece aqui e, se sua conta tiver um endereço, chega por e-mail.`,
  withdraw: 'Cancelar o pedido',
  withdrawn: 'Pedido cancelado.',
  refused: 'O pedido não foi aceito',
  refusedText: (name: string) => `Você pediu para publicar como “${name}”.`,
  answer: (text: string) => `A resposta: “${text}”`,
  again: 'Pedir de novo',
} as const satisfies Translation<typeof original>
