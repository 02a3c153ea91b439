import { number } from './words'

/** The texts of membership invitations, separate so that the first screen does not load them. */
export const invitations = {
  title: 'Convites',
  notice: (count: number) => (count === 1 ? 'Tem um convite à espera' : `Tem ${number(count)} convites à espera`),
  /** By role, with the name of whoever invites. */
  to: {
    editor: (by?: string) =>
      by ? `Convite de ${by} para publicar e gerir os canais.` : 'Convite para publicar e gerir os canais.',
    owner: (by?: string) =>
      by
        ? `Convite de ${by} para ser responsável: publicar, gerir os canais e decidir quem mais participa.`
        : 'Convite para ser responsável: publicar, gerir os canais e decidir quem mais participa.',
  } as Record<string, (by?: string) => string>,
  seen: 'Se aceitar, quem já participa vê o seu nome, o seu e-mail e a sua fotografia.',
  expires: (date: string) => `pode responder até ${date}`,
  accept: 'Aceitar',
  acceptOf: (name: string) => `Aceitar o convite de ${name}`,
  decline: 'Recusar',
  declineOf: (name: string) => `Recusar o convite de ${name}`,
  accepted: (name: string) => `Já participa em ${name}.`,
  declined: 'Convite recusado.',
  next: (name: string) => `Já participa em ${name}`,
  nextText: 'Escreva em «Publicar», no navegador.',
  nextLink: 'Como publicar',
  empty: 'Não tem convites à espera',
  emptyText: (email: string) =>
    `Entrou como ${email}. Um convite só aparece a quem entra com o endereço a que foi enviado; pode sair nas preferências e entrar com outra conta.`,
}
