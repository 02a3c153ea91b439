/** The texts of a device sign-in, separate so that the first screen does not load them. */
export const device = {
  title: 'Ligar um programa',
  code: 'Código',
  codeHint: 'O que o programa mostra, como BCDF‑GHJK.',
  next: 'Continuar',
  loading: 'A procurar o código…',
  question: (name: string) => `«${name}» quer entrar no Sininho em seu nome.`,
  asked: 'Pedido',
  askedFrom: (when: string, network: string, same: boolean) =>
    `${when}, ${same ? 'da mesma rede que este navegador' : 'de outra rede'}${network && ` (${network})`}`,
  may: 'Poderá',
  mayScopes: (scopes: readonly string[]) => {
    const [reads, publishes] = [scopes.includes('read'), scopes.includes('publish')]
    if (scopes.includes('manage')) {
      return 'fazer tudo o que pode fazer aqui: ler, seguir, publicar nos seus canais e gerir a conta.'
    }
    if (reads && publishes) return 'ler o que pode ler aqui e publicar nos seus canais, e nada mais.'
    return publishes ? 'publicar nos seus canais, e nada mais.' : 'ler o que pode ler aqui, sem mudar nada.'
  },
  until: 'Até',
  untilDate: (date: string) => `${date}, ou até lhe revogar o acesso nas preferências.`,
  warning: 'Confirme só se acabou de iniciar este programa e ele mostra este código.',
  browserQuestion: (name: string) => `«${name}» quer entrar na sua conta, como neste dispositivo.`,
  browserMay: 'fazer tudo o que pode fazer aqui, também gerir a conta e as formas de entrar.',
  browserUntil: (date: string) => `${date}, ou até terminar essa sessão nas preferências.`,
  browserWarning: 'Confirme só se este código está agora no ecrã de outro dispositivo seu. Ninguém lho deve pedir.',
  approve: 'Confirmar',
  refuse: 'Recusar',
  approved: 'Programa ligado',
  approvedHint: 'Pode fechar esta página e voltar ao programa.',
  refused: 'Pedido recusado',
  refusedHint: 'O programa não entrou em seu nome.',
  unknown: 'Código desconhecido',
  unknownHint:
    'Nenhum programa espera por este código: o prazo passou ou já lhe foi dada resposta. Recomece no programa.',
  another: 'Escrever outro código',
  failed: 'Não foi possível responder ao programa.',
}
