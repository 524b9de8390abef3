// What a browser must fetch before an app shows itself: JavaScript and CSS of its entry, gzip 9, in KiB.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readJson } from './tree.ts'
import { report, skip } from './verdict.ts'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const budgets = readJson('tools/checks/bundle-budget.json') as Readonly<Record<string, number>>

/** Files of the entries and of everything they import without waiting. */
function firstLoad(manifest: Manifest): ReadonlySet<string> {
  const files = new Set<string>()
  const visit = (chunk: Chunk | undefined): void => {
    if (chunk === undefined || files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const name of chunk.imports ?? []) visit(manifest[name])
  }
  for (const chunk of Object.values(manifest)) if (chunk.isEntry) visit(chunk)
  return files
}

const kib = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length / 1024

function measure(app: string, budget: number): readonly string[] {
  const dist = `dist/web/${app}`
  const path = join(dist, '.vite/manifest.json')
  if (!existsSync(path)) return [`${path} is not there: build the apps first, with build.manifest on`]
  const files = [...firstLoad(readJson(path) as Manifest)].filter((file) => /\.(m?js|css)$/.test(file))
  if (files.length === 0) return [`${path} names no entry`]
  const sizes = files.map((file) => ({ file, size: kib(join(dist, file)) })).sort((a, b) => b.size - a.size)
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  console.log(`${app}: ${total.toFixed(1)} of ${budget} KiB in ${files.length} files`)
  if (total <= budget) return []
  return [
    `${app}: first load is ${total.toFixed(1)} KiB, the budget is ${budget}`,
    ...sizes.slice(0, 8).map(({ file, size }) => `   ${size.toFixed(1)} KiB ${file}`),
  ]
}

const apps = Object.entries(budgets)
if (apps.every(([app]) => !existsSync(`dist/web/${app}`))) skip('no app is built')
else report(apps.flatMap(([app, budget]) => measure(app, budget)))
