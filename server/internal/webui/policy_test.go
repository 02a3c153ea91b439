package webui

import (
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

func TestRender(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"paragraphs":       {"Uma\nlinha.\n\nOutra.", "<p>Uma\nlinha.</p>\n<p>Outra.</p>\n"},
		"headings":         {"# Um\n\n#### Dois", "<h2>Um</h2>\n<h3>Dois</h3>\n"},
		"list":             {"- Levar\n- Apagar", "<ul>\n<li>Levar</li>\n<li>Apagar</li>\n</ul>\n"},
		"numbered list":    {"1. Levar\n2. Apagar", "<ol>\n<li>Levar</li>\n<li>Apagar</li>\n</ol>\n"},
		"emphasis":         {"Os **seus** *dados*.", "<p>Os <strong>seus</strong> <em>dados</em>.</p>\n"},
		"link":             {"Veja [as regras](/terms).", "<p>Veja <a href=\"/terms\">as regras</a>.</p>\n"},
		"bold link":        {"**[Regras](/terms)**", "<p><strong><a href=\"/terms\">Regras</a></strong></p>\n"},
		"address":          {"Em https://example.com.", "<p>Em <a href=\"https://example.com\">https://example.com</a>.</p>\n"},
		"email address":    {"a@example.com", "<p><a href=\"mailto:a@example.com\">a@example.com</a></p>\n"},
		"HTML":             {"Olá <img src=x onerror=alert(1)>", "<p>Olá &lt;img src=x onerror=alert(1)&gt;</p>\n"},
		"HTML block":       {"<script>\nalert(1)\n</script>", "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>\n"},
		"script in a link": {"[a](javascript:alert(1))", "<p><a href=\"\">a</a></p>\n"},
		"quote in a link":  {`[a](/x"onclick="alert(1))`, "<p><a href=\"/x%22onclick=%22alert(1)\">a</a></p>\n"},
	} {
		t.Run(name, func(t *testing.T) { check.Equal(t, "HTML", render(c.text), c.want) })
	}
}
