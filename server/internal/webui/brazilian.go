package webui

// brazilian is the Portuguese of Brazil.
var brazilian = texts{
	locale:  "pt_BR",
	general: head{Description: "Siga o que importa. Receba na hora."},
	fixed: map[kind]head{
		landing: {Title: "Siga o que importa. Receba na hora.",
			Description: "Os canais que você escolher, em um só lugar e em todos os seus dispositivos. Sem " +
				"algoritmo: só o que você decidiu seguir."},
		discovery: {Title: "Canais",
			Description: "Procure canais por nome, assunto ou categoria e siga os que interessam a você."},
		demonstration: {Title: "Demonstração",
			Description: "Escreva uma notificação e veja chegar, na hora. " +
				"Ela fica visível para quem estiver aqui, durante uma hora."},
		guide: {Title: "Como publicar",
			Description: "Uma escola avisa os pais, um grupo marca ensaios, uma loja fecha mais cedo. " +
				"Tudo no navegador, no celular ou no computador, sem instalar nada."},
		privacy: {Title: "Privacidade", Description: "Como são tratados os dados de quem usa este Sininho."},
		terms:   {Title: "Termos de uso", Description: "O que vale para quem usa este Sininho."},
		joining: {Title: "Convite para um canal privado",
			Description: "Abra o convite para ver o canal antes de entrar."},
		signIn: {Title: "Entrar no Sininho",
			Description: "Para seguir canais e receber suas notificações em todos os dispositivos."},
	},
	nothing: head{Title: "Not Found",
		Description: "Ele pode ter sido excluído ou o endereço pode estar errado."},
	lost: head{Title: "Você Está Perdido??",
		Description: "A página que você procura não existe. O endereço pode ter sido digitado errado ou a " +
			"página mudou de lugar."},
	channel:      "O que %s publica em %s.",
	publisher:    "Os canais de %s.",
	notification: "Publicado em %s, de %s.",
}
