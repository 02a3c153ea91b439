/** The texts with which a person asks the operators to publish. */
export const asking = {
  title: 'Peça para publicar aqui',
  text: 'Quem opera o servidor vê cada pedido e responde. Depois cria os seus canais.',
  form: 'O seu pedido',
  name: 'Quem publica',
  nameHint: 'A escola, a empresa, o grupo, ou o seu nome.',
  nameMissing: 'Escreva um nome.',
  reason: 'Para quê?',
  reasonHint: 'Por exemplo «Avisos aos pais da turma 7.º B».',
  send: 'Enviar o pedido',
  sent: 'Pedido enviado.',
  pending: 'O pedido está a ser visto',
  pendingText: (name: string) =>
    `Pediu para publicar como «${name}». A resposta aparece aqui e, se a sua conta tiver um endereço, chega por e-mail.`,
  withdraw: 'Anular o pedido',
  withdrawn: 'Pedido anulado.',
  refused: 'O pedido não foi aceite',
  refusedText: (name: string) => `Pediu para publicar como «${name}».`,
  answer: (text: string) => `A resposta: «${text}»`,
  again: 'Pedir de novo',
} as const
