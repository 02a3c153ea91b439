package sampledata

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// subject is what a channel is about, with the texts of its notifications. Titles may have a number in them.
type subject struct {
	slug, name string
	titles     []string
	sentences  []string
}

var subjects = []subject{
	{"transportes", "Transportes", []string{
		"Linha %d interrompida entre duas estações", "Linha %d reaberta", "Greve parcial no dia %d",
		"Autocarro %d com percurso alterado", "Obras na estação até às %dh", "Comboio das %dh suprimido",
	}, []string{
		"A circulação está interrompida devido a uma avaria num comboio.",
		"A circulação foi retomada em toda a linha, com intervalos normais.",
		"Prevê-se a normalização do serviço dentro de uma hora.",
		"Há autocarros de substituição em todas as estações afetadas.",
		"Pedimos desculpa pelo incómodo e agradecemos a sua compreensão.",
		"Consulte os horários atualizados na página da operadora antes de sair de casa.",
	}},
	{"tempo", "Tempo", []string{
		"Aviso amarelo: vento até %d km/h", "Chuva forte a partir das %dh", "Máxima de %d graus amanhã",
		"Agitação marítima com ondas de %d metros", "Neve acima dos %d00 metros", "Fim do aviso das %dh",
	}, []string{
		"Esperam-se períodos de chuva, por vezes forte, acompanhados de trovoada.",
		"Evite zonas costeiras e a proximidade de árvores altas.",
		"A temperatura sobe de forma gradual até ao fim da semana.",
		"O aviso abrange todo o litoral norte e centro.",
		"A proteção civil recomenda a limpeza dos sistemas de escoamento de águas.",
	}},
	{"futebol", "Futebol", []string{
		"Golo! %d a 0 ao intervalo", "Convocados para o jogo das %dh", "Final: %d a 1", "Bilhetes a %d euros",
		"Jornada %d: todos os resultados",
	}, []string{
		"Um remate de fora da área abriu o marcador logo no primeiro quarto de hora.",
		"O treinador mantém o onze que venceu na última jornada.",
		"A equipa regressa aos treinos na segunda-feira, à porta fechada.",
		"Veja o resumo e as declarações dos dois treinadores.",
		"Com este resultado, a equipa sobe ao segundo lugar da classificação.",
	}},
	{"camara", "Câmara Municipal", []string{
		"Corte de água na rua %d", "Recolha de lixo: novo horário às %dh", "Inscrições até dia %d",
		"Orçamento participativo: %d projetos a votos", "Trânsito condicionado até às %dh",
	}, []string{
		"O fornecimento será interrompido para reparação de uma conduta.",
		"Os moradores podem tratar do assunto ao balcão ou pela internet.",
		"A medida entra em vigor no primeiro dia útil do próximo mês.",
		"Vote no projeto da sua freguesia até ao fim da semana.",
		"Aconselham-se percursos alternativos pela circular.",
	}},
	{"cultura", "Cultura", []string{
		"%d concertos grátis este fim de semana", "Nova exposição até dia %d", "Teatro: sessão extra às %dh",
		"Feira do livro com %d editoras", "Cinema ao ar livre às %dh",
	}, []string{
		"A entrada é livre, sujeita à lotação da sala.",
		"Reserve o seu lugar com antecedência: as últimas sessões esgotaram.",
		"A programação completa está disponível no nosso sítio.",
		"A visita guiada dura cerca de uma hora e meia.",
	}},
	{"saude", "Saúde", []string{
		"Vacinação: vagas a partir das %dh", "Consulta marcada para dia %d", "Farmácia %d de serviço",
		"Urgência com espera de %d minutos",
	}, []string{
		"Traga o cartão de utente e chegue dez minutos antes da hora.",
		"Em caso de dúvida, ligue para a linha de apoio, disponível a qualquer hora.",
		"Para remarcar, responda até à véspera.",
		"A espera refere-se a doentes com pulseira verde.",
	}},
	{"tecnologia", "Tecnologia", []string{
		"Versão %d disponível", "Manutenção programada às %dh", "Incidente resolvido em %d minutos",
		"Latência elevada na região %d", "Disco a %d%% da capacidade",
	}, []string{
		"Esta versão corrige falhas e melhora o arranque em máquinas antigas.",
		"O serviço ficará indisponível durante cerca de uma hora.",
		"Todos os sistemas voltaram ao normal; publicaremos uma análise nos próximos dias.",
		"Nenhum dado foi perdido.", "Planeie a atualização e leia as notas antes de começar.",
	}},
	{"escola", "Escola", []string{
		"Reunião de pais às %dh", "Ementa da semana %d", "Teste do %d.º ano adiado", "Visita de estudo no dia %d",
	}, []string{
		"A reunião realiza-se no auditório e também pode ser seguida à distância.",
		"Os alunos devem trazer almoço, água e calçado confortável.",
		"A nova data será anunciada pelo diretor de turma.",
		"Assine a autorização e entregue-a até sexta-feira.",
	}},
}

// organization is a publisher's name, which gets a number.
type organization struct{ slug, name string }

var organizations = []organization{
	{"metro", "Metro"}, {"radio", "Rádio"}, {"jornal", "Jornal"}, {"municipio", "Município"}, {"clube", "Clube"},
	{"escola", "Escola"}, {"hospital", "Hospital"}, {"museu", "Museu"}, {"loja", "Loja"},
	{"universidade", "Universidade"},
}

var givenNames = []string{
	"Ana", "João", "Maria", "Tiago", "Beatriz", "Rui", "Inês", "Miguel", "Luísa", "Pedro", "Conceição", "Caio", "Lara",
}

var familyNames = []string{
	"Silva", "Santos", "Ferreira", "Pereira", "Oliveira", "Gonçalves", "Araújo", "Magalhães", "Sousa", "Conceição",
}

// title returns the title of a notification.
func (s subject) title(dice *rand.Rand) string {
	return fmt.Sprintf(s.titles[dice.IntN(len(s.titles))], 1+dice.IntN(48))
}

// body returns one to five sentences, of 60 to 350 characters in all.
func (s subject) body(dice *rand.Rand) string {
	var b strings.Builder
	first, n := dice.IntN(len(s.sentences)), 1+min(dice.IntN(5), dice.IntN(5))
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.sentences[(first+i)%len(s.sentences)])
	}
	return b.String()
}
