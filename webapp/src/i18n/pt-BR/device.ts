import type { device as original } from '../device'
import type { Translation } from '../translation'

/** The texts of a device sign-in, separate so that the first screen does not load them. */
export const device = {
  title: 'Conectar um programa',
  code: 'Código',
  codeHint: 'O que o programa mostra, como BCDF‑GHJK.',
  next: 'Continuar',
  loading: 'Procurando o código…',
  question: (name: string) => `“${name}” quer entrar no Sininho em seu nome.`,
  asked: 'Pedido',
  askedFrom: (when: string, network: string, same: boolean) =>
    `${when}, ${same ? 'da mesma rede que este navegador' : 'de outra rede'}${network && ` (${network})`}`,
  may: 'Vai poder',
  mayScopes: (scopes: readonly string[]) => {
    const [reads, publishes] = [scopes.includes('read'), scopes.includes('publish')]
    if (scopes.includes('manage')) {
      return 'fazer tudo o que você pode fazer aqui: ler, seguir, publicar nos seus canais e gerenciar a conta.'
    }
    if (reads && publishes) return 'ler o que você pode ler aqui e publicar nos seus canais, e nada mais.'
    return publishes ? 'publicar nos seus canais, e nada mais.' : 'ler o que você pode ler aqui, sem mudar nada.'
  },
  until: 'Até',
  untilDate: (date: string) => `${date}, ou até você revogar o acesso nas configurações.`,
  warning: 'Confirme só se foi você que acabou de iniciar este programa e se ele mostra este código.',
  browserQuestion: (name: string) => `“${name}” quer entrar na sua conta, como neste dispositivo.`,
  browserMay: 'fazer tudo o que você pode fazer aqui, inclusive gerenciar a conta e as formas de entrar.',
  browserUntil: (date: string) => `${date}, ou até você encerrar essa sessão nas configurações.`,
  browserWarning:
    'Confirme só se este código estiver agora na tela de outro dispositivo seu. Ninguém deve pedi-lo a você.',
  approve: 'Confirmar',
  refuse: 'Recusar',
  approved: 'Programa conectado',
  approvedHint: 'Você pode fechar esta página e voltar ao programa.',
  refused: 'Pedido recusado',
  refusedHint: 'O programa não entrou em seu nome.',
  unknown: 'Código desconhecido',
  unknownHint:
    'Nenhum programa está esperando por este código: o prazo acabou ou ele já foi respondido. Comece de novo no programa.',
  another: 'Digitar outro código',
  failed: 'Não foi possível responder ao programa.',
} satisfies Translation<typeof original>
