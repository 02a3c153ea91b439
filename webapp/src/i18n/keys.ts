/** The texts of the feed's keyboard shortcuts, loaded after it. */
export const keys = {
  title: 'Atalhos do teclado',
  groups: [
    {
      title: 'Percorrer',
      rows: [
        { key: 'j', does: 'Ir para a seguinte' },
        { key: 'k', does: 'Ir para a anterior' },
        { key: '/', does: 'Procurar' },
      ],
    },
    {
      title: 'Tratar',
      rows: [
        { key: 'Enter', does: 'Abrir a notificação' },
        { key: 'o', does: 'Abrir o link que traz' },
        { key: 'e', does: 'Arquivar ou trazer de volta' },
        { key: 'b', does: 'Adiar para mais tarde' },
        { key: 'u', does: 'Marcar como lida ou não lida' },
      ],
    },
    {
      title: 'Ajuda',
      rows: [
        { key: '?', does: 'Mostrar estes atalhos' },
        { key: 'Esc', does: 'Fechar o que está aberto' },
      ],
    },
  ],
  on: 'Usar os atalhos',
  off: 'Desligue-os se usa comandos de voz.',
}
