import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'

const home = fileURLToPath(new URL('../..', import.meta.url))
const modules = join(home, '../node_modules')
const run = promisify(execFile)

/** Returns the README's code blocks of a language by their heading. */
export async function snippets(language: string): Promise<Map<string, string>> {
  const readme = await readFile(join(home, 'README.md'), 'utf8')
  const found = new Map<string, string>()
  for (const section of readme.split(/^#+ /m)) {
    const [heading = ''] = section.split('\n', 1)
    for (const [, code = ''] of section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))) {
      if (found.has(heading)) throw new Error(`two snippets under ${heading}`)
      found.set(heading, code)
    }
  }
  return found
}

/** A third-party program with the package installed as npm installs it. */
export class Project {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(): Promise<Project> {
    const folder = await mkdtemp(join(tmpdir(), 'sininho-readme-'))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: home })
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    const installed = join(folder, 'node_modules/@sininho/sdk')
    await mkdir(installed, { recursive: true })
    await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
    // the package's dependencies, and Node's types for programs in TypeScript
    await mkdir(join(folder, 'node_modules/@types'))
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types']) {
      await symlink(join(modules, name), join(folder, 'node_modules', name))
    }
    await writeFile(join(folder, 'package.json'), '{"type": "module"}')
    return new Project(folder)
  }

  remove = () => rm(this.folder, { recursive: true, force: true })

  /** Returns the errors of the compiler in its strictest mode, including those in the package's declarations. */
  async faults(sources: Map<string, string>, lib: string[]): Promise<string[]> {
    const files = []
    for (const [name, code] of sources) {
      const file = join(this.folder, `${name.replaceAll(' ', '-')}.ts`)
      await writeFile(file, code)
      files.push(file)
    }
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: lib.map((name) => `lib.${name}.d.ts`),
      types: ['node'],
      typeRoots: [join(this.folder, 'node_modules/@types')],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    })
    return ts.getPreEmitDiagnostics(program).map((fault) => {
      const text = ts.flattenDiagnosticMessageText(fault.messageText, '\n')
      return fault.file ? `${fault.file.fileName}:${fault.start ?? 0}: ${text}` : text
    })
  }

  /** Starts a program and collects its output. `stop` ends it as Ctrl-C does and returns the exit code. */
  async start(code: string, env: Record<string, string>) {
    const file = join(await mkdtemp(join(this.folder, 'run-')), 'main.mjs')
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    })
    await writeFile(file, outputText)
    const program = spawn(process.execPath, [file], { env: { PATH: process.env.PATH, ...env } })
    const output = { out: '', err: '' }
    program.stdout.on('data', (piece) => (output.out += String(piece)))
    program.stderr.on('data', (piece) => (output.err += String(piece)))
    const ended = new Promise<number | null>((resolve) => program.once('close', resolve))
    return {
      output,
      ended,
      stop: (signal: NodeJS.Signals = 'SIGINT') => {
        program.kill(signal)
        return ended
      },
    }
  }
}
