const key = 'sininho.text'
const large = 'large'

/** Reports whether this browser shows large text. */
export const isTextLarge = () => localStorage.getItem(key) === large

/** Shows large text, or not, and keeps that for later visits. */
export function setTextLarge(on: boolean) {
  if (on) localStorage.setItem(key, large)
  else localStorage.removeItem(key)
  showTextLarge(on)
}

/** The styles of large text go by the attribute. */
export const showTextLarge = (on = isTextLarge()) => document.documentElement.toggleAttribute('data-large', on)
