package webui

// portuguese is the Portuguese of Portugal.
var portuguese = texts{
	locale:  "pt_PT",
	general: head{Description: "Siga o que importa. Receba na hora."},
	fixed: map[kind]head{
		landing: {Title: "Siga o que importa. Receba na hora.",
			Description: "Os canais que escolher, num só lugar e em todos os seus dispositivos. Sem algoritmo: só " +
				"o que decidiu seguir."},
		discovery: {Title: "Canais",
			Description: "Procure canais por nome, assunto ou categoria, e siga os que lhe interessam."},
		demonstration: {Title: "Demonstração",
			Description: "Escreva uma notificação e veja-a chegar, na hora. " +
				"Fica à vista de quem aqui estiver, durante uma hora."},
		guide: {Title: "Como publicar",
			Description: "Uma escola avisa os pais, um rancho marca ensaios, uma loja fecha mais cedo. " +
				"Tudo no navegador, no telemóvel ou no computador, sem instalar nada."},
		privacy: {Title: "Privacidade", Description: "Como são tratados os dados de quem usa este Sininho."},
		terms:   {Title: "Termos de utilização", Description: "O que vale para quem usa este Sininho."},
		joining: {Title: "Convite para um canal privado",
			Description: "Abra o convite para ver o canal antes de entrar."},
		signIn: {Title: "Entrar no Sininho",
			Description: "Para seguir canais e receber as suas notificações em todos os dispositivos."},
	},
	nothing: head{Title: "Not Found",
		Description: "Pode ter sido apagado, ou o endereço estar mal escrito."},
	lost: head{Title: "Você Está Perdido??",
		Description: "A página que procura não existe. O endereço pode ter sido mal escrito ou a página mudou " +
			"de lugar."},
	channel:      "O que %s publica em %s.",
	publisher:    "Os canais de %s.",
	notification: "Publicado em %s, de %s.",
}
