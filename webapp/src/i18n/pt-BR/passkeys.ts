import type { passkeys as original } from '../passkeys'
import type { Translation } from '../translation'

/** The texts of passkeys, separate so that only screens where they are used load them. */
export const passkeys = {
  signIn: 'Entrar com uma chave de acesso',
  signUp: 'Criar conta com uma chave de acesso',
  signUpText: 'Seu celular ou computador guarda a chave e pede o PIN, o dedo ou o rosto. Você não precisa de e-mail.',
  name: 'Seu nome',
  nameMissing: 'Escreva seu nome.',
  create: 'Criar chave de acesso',
  unsupported: 'Este navegador não sabe usar chaves de acesso. Atualize-o, ou abra o Sininho em outro.',
  dismissed: 'Você não usou nenhuma chave. Se ainda não tem uma aqui, crie uma conta ou entre de outra forma.',
  notMade: 'Você não criou nenhuma chave. Tente novamente quando quiser.',
  failed: 'Não foi possível entrar com esta chave. Tente novamente.',
  notCreated: 'Não foi possível criar a conta. Tente novamente.',
  faults: {
    unknown: 'Esta chave não pertence mais a nenhuma conta. Você pode apagá-la do seu dispositivo.',
    cloned: 'Esta chave parece ter sido copiada. Entre de outra forma e remova-a nas preferências.',
    taken: 'Este dispositivo já tem uma chave desta conta.',
  },

  operator: {
    title: 'Administrar esta instalação',
    text: 'Este link faz da conta que você criar agora a de quem administra esta instalação do Sininho. Funciona uma vez.',
    unusable: 'Este link não funciona',
    unusableText:
      'Expirou, já foi usado, ou o endereço não está completo. O comando sininho-server operator-link mostra outro.',
    home: 'Ir para o início',
  },

  own: {
    title: 'Chaves de acesso',
    text: 'Guardadas em um dispositivo seu, abrem com o PIN, o dedo ou o rosto. Tenha duas: quem perde a última perde a conta.',
    none: 'Você ainda não tem nenhuma.',
    add: 'Adicionar chave de acesso',
    added: 'Chave de acesso adicionada.',
    addFailed: 'Não foi possível adicionar a chave de acesso.',
    used: (when) => `usada ${when}`,
    unused: 'ainda não usada',
    since: (date) => `adicionada em ${date}`,
    rename: 'Mudar o nome',
    renameName: (name) => `Mudar o nome de ${name}`,
    newName: 'Novo nome',
    nameMissing: 'Escreva um nome.',
    renameFailed: 'Não foi possível mudar o nome.',
    remove: 'Remover',
    removeName: (name) => `Remover ${name}`,
    removeQuestion: (name) => `Remover “${name}”?`,
    removeText:
      'Você não poderá mais entrar com esta chave. As sessões já iniciadas continuam. Apague-a também no dispositivo.',
    removed: 'Chave de acesso removida.',
  },
} as const satisfies Translation<typeof original>
