import type { Plugin } from 'vite'

/** The first is the one in which src/i18n is written; the others are in folders of it. scripts/build.mjs builds each. */
export const languages = ['pt-PT', 'pt-BR', 'en'] as const

/** The language that is built. */
export const language = process.env.SININHO_LANGUAGE ?? languages[0]

/** Puts the words of a language in place of the original ones. */
export function translated(): Plugin {
  const [original] = languages
  return {
    name: 'translated',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (language === original || !`${importer} ${source}`.includes('i18n')) return undefined
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && { ...found, id: found.id.replace(/\/src\/i18n\/([\w-]+\.ts)$/, `/src/i18n/${language}/$1`) }
    },
    transformIndexHtml: (html) => html.replace(`lang="${original}"`, `lang="${language}"`),
  }
}
