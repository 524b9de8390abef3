// Every rule can fail: plants a violation of each into a copy of the tree, runs the checks there, and requires that the
// named rule reports it. A rule of dependency-cruiser or Biome without a planted violation fails too.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { checks, typeChecks } from './list.ts'
import { ignoredFiles, type PlantedViolation, SECRET_OF_IGNORED } from './planted.ts'
import { directionRules, plantedDirection } from './planted-direction.ts'
import { plantedOwn } from './planted-own.ts'
import { plantedStyle, plantedTypes } from './planted-style.ts'
import { productFiles, readJson, workspaces } from './tree.ts'
import { report, SKIPPED } from './verdict.ts'

const planted: readonly PlantedViolation[] = [...plantedDirection, ...plantedStyle, ...plantedTypes, ...plantedOwn]

/** Checks of something other than the tree; the tests next to them prove that they can fail. */
const JUDGE_SOMETHING_ELSE = new Set(['mutate-rules', 'bundle-budget', 'error-coverage'])

/** Copies the tree and links its packages, except our own, which must be the copy's. */
function copyTree(to: string): void {
  for (const file of productFiles()) cpSync(file, join(to, file), { recursive: false })
  const modules = join(to, 'node_modules')
  mkdirSync(join(modules, '@sightline'), { recursive: true })
  for (const name of readdirSync('node_modules')) {
    if (name !== '@sightline' && name !== '.cache') symlinkSync(resolve('node_modules', name), join(modules, name))
  }
  for (const folder of workspaces().filter((one) => one !== '')) {
    symlinkSync(resolve(to, folder), join(modules, '@sightline', folder.slice(folder.lastIndexOf('/') + 1)))
  }
  execFileSync('git', ['init', '--quiet'], { cwd: to })
}

function plant(to: string, { files = {}, edit }: Pick<PlantedViolation, 'files' | 'edit'>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), text)
  }
  if (edit !== undefined) {
    const file = join(to, edit.file)
    writeFileSync(file, edit.change(readFileSync(file, 'utf8')))
  }
}

function run(argv: readonly string[], cwd: string): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>()
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.once('error', reject)
  // A check that passes reports nothing, whatever it prints.
  child.once('close', (code) => done(code === 0 || code === SKIPPED ? '' : output))
  return promise
}

/** Parses a check's output into findings, one per line, with rule and place. */
const readers: Readonly<Record<string, (output: string) => readonly string[]>> = {
  style: (output) => {
    const { diagnostics } = JSON.parse(output.slice(output.indexOf('{"summary"')).split('\n')[0] ?? '') as {
      diagnostics: readonly { category: string; location?: { path?: string } }[]
    }
    return diagnostics.map(({ category, location }) => `${category} ${location?.path ?? ''}`)
  },
  'dead-code': (output) => {
    let heading = ''
    return output.split('\n').map((line) => {
      heading = /^(Un\w+ [\w ]+?) \(\d+\)/.exec(line)?.[1] ?? heading
      return `${heading} ${line}`
    })
  },
}

/** Runs a check so that its reader can parse the output and only planted files cost time. */
const runners: Readonly<Record<string, (cwd: string, argv: readonly string[]) => Promise<string>>> = {
  style: (cwd, argv) => {
    const words = argv.filter((word) => !word.startsWith('--max-diagnostics'))
    return run([...words, '--reporter=json', '--max-diagnostics=none'], cwd)
  },
  ...Object.fromEntries(typeChecks.map(({ check }) => [check, compilePlanted])),
}

/**
 * Runs the compiler only on a project's planted files, with the project's options, because the check itself compiles the
 * whole project. Verifies separately that the project includes these files.
 */
async function compilePlanted(cwd: string, [tsc = '', , project = '']: readonly string[]): Promise<string> {
  const inProject = execFileSync(process.execPath, [tsc, '-p', project, '--showConfig'], { cwd, encoding: 'utf8' })
  const { files } = JSON.parse(inProject) as { files: readonly string[] }
  const planted = files.filter((file) => file.endsWith('/planted-types.ts'))
  const alone = join(dirname(project), 'tsconfig.planted.json')
  writeFileSync(join(cwd, alone), JSON.stringify({ extends: `./${basename(project)}`, include: planted, exclude: [] }))
  return run([tsc, '-p', alone, '--noEmit', '--pretty', 'false'], cwd)
}

interface Found {
  /** The check's whole output. */
  readonly output: string
  readonly lines: readonly string[]
}

async function findings(cwd: string): Promise<ReadonlyMap<string, Found>> {
  const waiting = checks.filter(({ name }) => !JUDGE_SOMETHING_ELSE.has(name))
  const found = new Map<string, Found>()
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const output = await (runners[check.name]?.(cwd, check.argv) ?? run(check.argv, cwd))
      if (process.argv.includes('--keep')) writeFileSync(join(cwd, `${check.name}.txt`), output)
      const read = readers[check.name] ?? ((text: string) => text.split('\n'))
      found.set(check.name, { output, lines: output === '' ? [] : read(output) })
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker))
  return found
}

interface BiomeConfig {
  readonly linter: { readonly rules: Readonly<Record<string, unknown>> }
}

/** Names of the rules in biome.json; each must have a planted violation. */
function styleRules(): readonly string[] {
  const { rules } = (readJson('biome.json') as BiomeConfig).linter
  return Object.entries(rules).flatMap(([group, ofGroup]) =>
    typeof ofGroup === 'object' && ofGroup !== null
      ? Object.entries(ofGroup)
          .filter(([, level]) => level !== 'off')
          .map(([rule]) => `lint/${group}/${rule}`)
      : [],
  )
}

const copy = mkdtempSync(join(tmpdir(), 'planted-'))
try {
  copyTree(copy)
  for (const one of planted) plant(copy, one)
  plant(copy, { files: ignoredFiles })
  const found = await findings(copy)
  const missed = planted.filter(
    ({ check, rule, names }) => !found.get(check)?.lines.some((line) => line.includes(rule) && line.includes(names)),
  )
  const unplanted = [...directionRules, ...styleRules()].filter((rule) => !planted.some((one) => one.rule === rule))
  const unproven = checks.filter(
    ({ name }) => !JUDGE_SOMETHING_ELSE.has(name) && !planted.some(({ check }) => check === name),
  )
  const readIgnored = [...found].filter(([, { output }]) =>
    [...Object.keys(ignoredFiles), SECRET_OF_IGNORED].some((word) => output.includes(word)),
  )
  console.log(`${planted.length - missed.length} of ${planted.length} planted violations were reported`)
  report([
    ...missed.map(({ check, rule, names }) => `${check} did not report ${rule} in ${names}`),
    ...readIgnored.map(([name]) => `the check ${name} reads files that git ignores, and prints what is in them`),
    ...unplanted.map((rule) => `${rule} has no planted violation: add one to tools/checks/planted-*.ts`),
    ...unproven.map(({ name }) => `the check ${name} has no planted violation: add one to tools/checks/planted-own.ts`),
  ])
} finally {
  if (existsSync(copy) && !process.argv.includes('--keep')) rmSync(copy, { recursive: true, force: true })
  else console.log(copy)
}
