import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import * as sdk from '../src/index.js'

/** Returns the package's exports with their documentation. */
function surface() {
  const index = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const program = ts.createProgram([index], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    noLib: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(index)!)!
  return checker.getExportsOfModule(module).map((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const isGenerated = symbol.declarations?.some((d) => d.getSourceFile().fileName.includes('/gen/'))
    return { name: exported.name, isGenerated, text: ts.displayPartsToString(symbol.getDocumentationComment(checker)) }
  })
}

it('exports exactly these names', () => {
  expect(Object.keys(sdk).sort()).toEqual([
    'ApiError',
    'Listing',
    'NetworkError',
    'Sininho',
    'WebhookError',
    'createMainClient',
    'createWaitlistClient',
    'paginate',
    'signChallenge',
    'streamChannel',
    'streamFeed',
    'unwrap',
    'uploadPicture',
    'verifyWebhook',
  ])
})

it('has documentation of each export', () => {
  const exported = surface()
  expect(exported.length).toBeGreaterThan(50)
  expect(exported.filter(({ text, isGenerated }) => !text && !isGenerated)).toEqual([])
})

it('needs one package at run time', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(Object.keys((JSON.parse(text) as { dependencies: object }).dependencies)).toEqual(['openapi-fetch'])
})
