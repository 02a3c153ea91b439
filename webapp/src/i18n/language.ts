/** BCP 47 tag of the language of all these words. */
export const language = 'pt-PT'
