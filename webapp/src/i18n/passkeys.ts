/** The texts of passkeys, separate so that only screens where they are used load them. */
export const passkeys = {
  signIn: 'Entrar com uma chave de acesso',
  signUp: 'Criar conta com uma chave de acesso',
  signUpText:
    'O seu telemóvel ou computador guarda a chave e pede-lhe o PIN, o dedo ou o rosto. Não precisa de e-mail.',
  name: 'O seu nome',
  nameMissing: 'Escreva o seu nome.',
  create: 'Criar chave de acesso',
  unsupported: 'Este navegador não sabe usar chaves de acesso. Atualize-o, ou abra o Sininho noutro.',
  dismissed: 'Não usou nenhuma chave. Se ainda não tem uma aqui, crie uma conta ou entre de outra forma.',
  notMade: 'Não criou nenhuma chave. Tente novamente quando quiser.',
  failed: 'Não foi possível entrar com esta chave. Tente novamente.',
  notCreated: 'Não foi possível criar a conta. Tente novamente.',
  faults: {
    unknown: 'Esta chave já não pertence a nenhuma conta. Pode apagá-la do seu dispositivo.',
    cloned: 'Esta chave parece ter sido copiada. Entre de outra forma e remova-a nas preferências.',
    taken: 'Este dispositivo já tem uma chave desta conta.',
  } as Record<string, string>,

  operator: {
    title: 'Gerir esta instalação',
    text: 'Esta ligação faz da conta que criar agora a de quem gere esta instalação do Sininho. Serve uma vez.',
    unusable: 'Esta ligação não serve',
    unusableText:
      'Expirou, já foi usada, ou o endereço não está completo. O comando sininho-server operator-link mostra outra.',
    home: 'Ir para o início',
  },

  own: {
    title: 'Chaves de acesso',
    text: 'Guardadas num dispositivo seu, abrem-se com o PIN, o dedo ou o rosto. Tenha duas: quem perde a última perde a conta.',
    none: 'Ainda não tem nenhuma.',
    add: 'Adicionar chave de acesso',
    added: 'Chave de acesso adicionada.',
    addFailed: 'Não foi possível adicionar a chave de acesso.',
    used: (when: string) => `usada ${when}`,
    unused: 'ainda não usada',
    since: (date: string) => `adicionada em ${date}`,
    rename: 'Mudar o nome',
    renameName: (name: string) => `Mudar o nome de ${name}`,
    newName: 'Novo nome',
    nameMissing: 'Escreva um nome.',
    renameFailed: 'Não foi possível mudar o nome.',
    remove: 'Remover',
    removeName: (name: string) => `Remover ${name}`,
    removeQuestion: (name: string) => `Remover «${name}»?`,
    removeText:
      'Deixa de poder entrar com esta chave. As sessões já iniciadas continuam. Apague-a também no dispositivo.',
    removed: 'Chave de acesso removida.',
  },
} as const
