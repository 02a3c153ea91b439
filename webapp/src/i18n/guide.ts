/** The texts of the guide for publishers, at /publicar. */
export const guide = {
  title: 'Como publicar',
  text: 'Uma escola avisa os pais, um rancho marca ensaios, uma loja fecha mais cedo. Tudo no navegador, no telemóvel ou no computador, sem instalar nada.',
  create: 'Criar um canal',
  demo: 'Experimentar primeiro',
  parts: {
    begin: {
      title: 'Comece um canal',
      texts: [
        'Entre e toque em «Criar um canal». Diga quem publica, que pode ser uma escola, um grupo ou só o seu nome, e como se chama o canal.',
        'Escolha uma categoria e quem o pode ver: todos, quem tem o endereço, ou só quem convidar. Junte uma imagem, se quiser. Fica pronto na hora.',
      ],
      picture: 'O formulário de um canal novo, com quem publica e o nome do canal.',
    },
    write: {
      title: 'Escreva',
      texts: [
        'Escreva como numa mensagem: a primeira linha é o título. Pode juntar uma imagem, uma ligação, e até quando a notificação vale.',
        'Depois de tocar em «Publicar» tem dez segundos para anular, e até lá não sai nada. O que deixar a meio fica guardado, e encontra-o nos seus outros dispositivos.',
      ],
      picture: 'O campo onde se escreve, com os botões para juntar uma ligação, uma imagem, um prazo e uma hora.',
    },
    readers: {
      title: 'Veja o que vão ver',
      texts: [
        'Enquanto escreve, vê como a notificação fica no ecrã bloqueado e na lista de quem a recebe.',
        'Depois de publicar, vê a quantos dispositivos chegou e o que falhou. Enganou-se? Pode corrigir, ou retirar a notificação.',
      ],
      picture: 'A mesma notificação no ecrã bloqueado de um telemóvel e na lista de notificações.',
    },
    scheduled: {
      title: 'Deixe para mais tarde',
      texts: [
        'Em «Publicar mais tarde» escolhe o dia e a hora. Até lá pode alterar o texto, publicar logo ou desistir.',
        'O que diz muitas vezes guarda-se como modelo: na próxima vez só preenche o que mudou.',
      ],
      picture: 'Uma notificação que espera pela sua hora, com os botões «Publicar já», «Alterar» e «Não publicar».',
    },
    people: {
      title: 'Publique com outras pessoas',
      texts: [
        'Convide por e-mail. Quem pode publicar escreve e trata dos canais; quem é responsável também convida e retira pessoas.',
        'Ninguém passa a publicar sem ter aceitado o convite.',
      ],
      picture: 'As pessoas que publicam, e um convite à espera de resposta.',
    },
    poster: {
      title: 'Dê-o a conhecer',
      texts: [
        'Cada canal tem um cartaz para imprimir e afixar. Quem aponta a câmara do telemóvel ao código chega ao canal e começa a receber.',
        'Também pode enviar o endereço do canal por mensagem ou pô-lo na sua página.',
      ],
      picture: 'O cartaz de um canal, com o código e as instruções.',
    },
    private: {
      title: 'Só para alguns',
      texts: [
        'Um canal privado não existe para quem não foi convidado. Convide por e-mail, ou envie um link que só deixa entrar depois de aceitar a pessoa.',
        'Vê quem está no canal, e pode retirar alguém em qualquer altura.',
      ],
      picture: 'Os membros de um canal privado, alguém que pede para entrar, e os convites.',
    },
  },
  programs: {
    title: 'Quando é um programa que publica',
    text: 'A página da escola, o sistema da loja ou um script também podem publicar. No canal, em «Programas», cria um endereço para onde o seu serviço envia; para quem programa há chaves, uma linha de comandos e bibliotecas.',
    link: 'Documentação para programas (em inglês)',
  },
} as const
