/** An address made of a name: "Arte e Cultura" becomes "arte-e-cultura". */
export const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-|-$/g, '')

const form = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Reports whether something can be an address. */
export const isSlug = (text: string) => form.test(text)
