//go:build go1.26

package sininho_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// Goes on with a draft, unless the person has changed it on another device meanwhile.
func ExampleDraftsService_Update() {
	draft := sininho.Draft{ID: exampleID, Content: sininho.PublishInput{Title: "Reunião na sexta"}}
	client, stop := exampleReplies(draft, sininhotest.Refuse(412, "precondition_failed", 0))
	defer stop()
	ctx := context.Background()

	seen, err := client.Drafts.Get(ctx, "demo/novidades", exampleID)
	if err != nil {
		fmt.Println(err)
		return
	}
	content := seen.Content
	content.Body = "Às 18 h na cantina."
	_, err = client.Drafts.Update(ctx, "demo/novidades", exampleID, content, sininho.IfVersion(seen.Version))
	fmt.Println("changed meanwhile:", errors.Is(err, sininho.ErrChanged))
	// Output: changed meanwhile: true
}

func ExampleTemplate_Fill() {
	template := sininho.Template{
		Content: sininho.PublishInput{Title: "Falta a água na {{ rua }}"}, Fields: []string{"rua"},
	}
	in, err := template.Fill(map[string]string{"rua": "Rua Direita"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in.Title)
	// Output: Falta a água na Rua Direita
}
