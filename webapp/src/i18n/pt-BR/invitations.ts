import type { invitations as original } from '../invitations'
import type { Translation } from '../translation'
import { number } from './words'

/** The texts of membership invitations, separate so that the first screen does not load them. */
export const invitations = {
  title: 'Convites',
  notice: (count: number) =>
    count === 1 ? 'Você tem um convite pendente' : `Você tem ${number(count)} convites pendentes`,
  /** By role, with the name of whoever invites. */
  to: {
    editor: (by?: string) =>
      by ? `Convite de ${by} para publicar e gerenciar os canais.` : 'Convite para publicar e gerenciar os canais.',
    owner: (by?: string) =>
      by
        ? `Convite de ${by} para ser responsável: publicar, gerenciar os canais e decidir quem mais participa.`
        : 'Convite para ser responsável: publicar, gerenciar os canais e decidir quem mais participa.',
  },
  seen: 'Se você aceitar, quem já participa vê seu nome, seu e-mail e sua foto.',
  expires: (date: string) => `você pode responder até ${date}`,
  accept: 'Aceitar',
  acceptOf: (name: string) => `Aceitar o convite de ${name}`,
  decline: 'Recusar',
  declineOf: (name: string) => `Recusar o convite de ${name}`,
  accepted: (name: string) => `Agora você participa de ${name}.`,
  declined: 'Convite recusado.',
  next: (name: string) => `Agora você participa de ${name}`,
  nextText: 'Escreva em «Publicar», no navegador.',
  nextLink: 'Como publicar',
  empty: 'Você não tem convites pendentes',
  emptyText: (email: string) =>
    `Você entrou como ${email}. Um convite só aparece para quem entra com o endereço que o recebeu; você pode sair nas configurações e entrar com outra conta.`,
} satisfies Translation<typeof original>
