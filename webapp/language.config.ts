import type { Plugin } from 'vite'

/** The language in which src/i18n is written; the others are in folders of it. */
const original = 'pt-PT'

/** The language that is built; scripts/build.mjs builds each. */
const language = process.env.SININHO_LANGUAGE ?? original

/** Puts the words of a language in place of the original ones. */
export function translated(): Plugin {
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
