import type { guide as original } from '../guide'
import type { Translation } from '../translation'

/** The texts of the guide for publishers, at /publicar. */
export const guide = {
  title: 'Como publicar',
  text: 'Uma escola avisa os pais, um grupo marca ensaios, uma loja fecha mais cedo. Tudo no navegador, no celular ou no computador, sem instalar nada.',
  create: 'Criar um canal',
  demo: 'Experimentar primeiro',
  parts: {
    begin: {
      title: 'Comece um canal',
      texts: [
        'Entre e toque em «Criar um canal». Diga quem publica, que pode ser uma escola, um grupo ou só o seu nome, e como o canal se chama.',
        'Escolha uma categoria e quem pode ver: todos, quem tem o endereço ou só quem você convidar. Adicione uma imagem, se quiser. Fica pronto na hora.',
      ],
      picture: 'O formulário de um canal novo, com quem publica e o nome do canal.',
    },
    write: {
      title: 'Escreva',
      texts: [
        'Escreva como em uma mensagem: a primeira linha é o título. Você pode incluir uma imagem, um link e até quando a notificação vale.',
        'Depois de tocar em «Publicar», você tem dez segundos para desfazer, e até lá nada sai. O que ficar pela metade é salvo, e você o encontra nos seus outros dispositivos.',
      ],
      picture: 'O campo onde se escreve, com os botões para incluir um link, uma imagem, um prazo e uma hora.',
    },
    readers: {
      title: 'Veja o que vão ver',
      texts: [
        'Enquanto escreve, você vê como a notificação fica na tela bloqueada e na lista de quem a recebe.',
        'Depois de publicar, você vê a quantos dispositivos ela chegou e o que falhou. Errou? Pode corrigir ou retirar a notificação.',
      ],
      picture: 'A mesma notificação na tela bloqueada de um celular e na lista de notificações.',
    },
    scheduled: {
      title: 'Deixe para mais tarde',
      texts: [
        'Em «Publicar mais tarde», escolha o dia e a hora. Até lá, você pode alterar o texto, publicar logo ou desistir.',
        'O que você diz muitas vezes vira um modelo: na próxima vez, é só preencher o que mudou.',
      ],
      picture: 'Uma notificação que espera pela sua hora, com os botões para publicar já, alterar ou não publicar.',
    },
    people: {
      title: 'Publique com outras pessoas',
      texts: [
        'Convide por e-mail. Quem pode publicar escreve e cuida dos canais; quem é responsável também convida e retira pessoas.',
        'Ninguém passa a publicar sem ter aceitado o convite.',
      ],
      picture: 'As pessoas que publicam e um convite à espera de resposta.',
    },
    poster: {
      title: 'Divulgue',
      texts: [
        'Cada canal tem um cartaz para imprimir e afixar. Quem aponta a câmera do celular para o código chega ao canal e começa a receber.',
        'Você também pode enviar o endereço do canal por mensagem ou colocá-lo na sua página.',
      ],
      picture: 'O cartaz de um canal, com o código e as instruções.',
    },
    private: {
      title: 'Só para alguns',
      texts: [
        'Um canal privado não existe para quem não foi convidado. Convide por e-mail ou envie um link que só deixa entrar depois que você aceitar a pessoa.',
        'Você vê quem está no canal e pode retirar alguém a qualquer momento.',
      ],
      picture: 'Os membros de um canal privado, alguém que pede para entrar e os convites.',
    },
  },
  programs: {
    title: 'Quando é um programa que publica',
    text: 'A página da escola, o sistema da loja ou um script também podem publicar. No canal, em «Programas», você cria um endereço para onde o seu serviço envia; para quem programa, há chaves, uma linha de comando e bibliotecas.',
    link: 'Documentação para programas (em inglês)',
  },
} as const satisfies Translation<typeof original>
