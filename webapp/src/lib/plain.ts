/** Normalizes text for searching as the server does: lower case, without accents. */
export const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim()
