// Every workspace's package.json must have its name, valid exports, exact versions and a permissive license.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFolders, readJson, workspaces } from './tree.ts'
import { report } from './verdict.ts'

interface Manifest {
  readonly name?: string
  readonly license?: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** An alias has its package's name before the version. */
const EXACT = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/

function* versions(folder: string, manifest: Manifest): Generator<string> {
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  for (const [name, version] of Object.entries(all)) {
    if (!EXACT.test(version)) yield `${folder}/package.json: ${name} ${version} is not an exact version`
  }
}

/** `./*` must export TypeScript sources, one `index.ts` per folder. */
function* topics(folder: string, target: string): Generator<string> {
  if (target !== './src/*/index.ts') yield `${folder}/package.json: ./* leads to ${target}, not ./src/*/index.ts`
  for (const topic of listFolders(join(folder, 'src'))) {
    const index = join(folder, 'src', topic, 'index.ts')
    if (!existsSync(index)) yield `${index} is not there, so @sightline/${basename(folder)}/${topic} leads nowhere`
  }
}

/** Every export must be an existing file, once the package has sources. */
function* doors(folder: string, { exports = {} }: Manifest): Generator<string> {
  const hasSources = listFolders(folder).includes('src')
  for (const [door, target] of Object.entries(exports)) {
    if (door === './*') yield* topics(folder, target)
    else if (hasSources && !target.includes('*') && !existsSync(join(folder, target))) {
      yield `${folder}/package.json: ${door} leads to ${target}, which is not there`
    }
  }
}

function* workspaceProblems(folder: string): Generator<string> {
  const manifest = readJson(join(folder, 'package.json')) as Manifest
  if (manifest.name !== `@sightline/${basename(folder)}`) {
    yield `${folder}/package.json: the name is ${manifest.name}, expected @sightline/${basename(folder)}`
  }
  if (manifest.license !== 'Apache-2.0')
    yield `${folder}/package.json: the licence is ${manifest.license}, expected Apache-2.0`
  if (manifest.private !== true) yield `${folder}/package.json is not private`
  yield* versions(folder, manifest)
  yield* doors(folder, manifest)
}

/** Licenses that allow anyone to use, change and sell the software, and fonts (OFL) as part of a program. Every package must have one of them. */
const PERMISSIVE =
  /^\(?(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|Unlicense|CC0-1\.0|CC-BY-4\.0|BlueOak-1\.0\.0|Python-2\.0|PSF-2\.0|Zlib|PostgreSQL|WTFPL|OFL-1\.1)( (OR|AND) [\w.-]+)*\)?$/
/** Tools that are used but not shipped: Mozilla's license covers only changes to the tool itself. */
const TOOLS_ONLY = /^MPL-2\.0$/

interface Locked {
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
}

function* licences(): Generator<string> {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Locked>> }
  for (const [path, { license = 'none stated', dev, link, optional }] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') || link) continue
    // Packages for other platforms are not installed; the one for this platform has the same license.
    if (optional && !existsSync(path)) continue
    if (!PERMISSIVE.test(license) && !(dev && TOOLS_ONLY.test(license))) yield `${path}: licence ${license}`
  }
}

report([
  ...versions('.', readJson('package.json') as Manifest),
  ...workspaces()
    .filter((folder) => folder !== '')
    .flatMap((folder) => [...workspaceProblems(folder)]),
  ...licences(),
])
