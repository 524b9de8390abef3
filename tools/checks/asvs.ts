// Every requirement that the page of the security standard calls met cites something that exists: a test by file and title,
// or the file that implements it. The page names no missing file or test, and its sums match its rows.
import { readFileSync } from 'node:fs'
import { productFiles } from './tree.ts'
import { report } from './verdict.ts'

const PAGE = 'docs/reference/asvs.md'
const ROW = /^\| (\d+\.\d+\.\d+) \| [12] \| .+? \| (met|does not apply|in part|not met) \| (.+) \|$/
const SUM = /^\| (met|does not apply|in part|not met) \| (\d+) \|$/
const REQUIREMENTS = 253

const files = new Set(productFiles())
const topFolders = new Set([...files].filter((file) => file.includes('/')).map((file) => file.split('/', 1)[0]))
const isFolder = (path: string): boolean => [...files].some((file) => file.startsWith(`${path}/`))

/** Paths of this repository in a text: those in a top-level folder, and top-level files. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => files.has(path) || (path.includes('/') && topFolders.has(path.split('/', 1)[0])))

const testsIn = (text: string): readonly { readonly file: string; readonly title: string }[] =>
  [...text.matchAll(/`([\w./-]+\.tsx?)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }))

const hasTitle = (file: string, title: string): boolean => {
  const text = readFileSync(file, 'utf8')
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
}

const lines = readFileSync(PAGE, 'utf8').split('\n')
const rows = lines.flatMap((line) => {
  const [, number = '', state = '', by = ''] = ROW.exec(line) ?? []
  return number === '' ? [] : [{ number, state, by }]
})

const gone = lines.flatMap((line) => [
  ...pathsIn(line)
    .filter((path) => !files.has(path) && !isFolder(path))
    .map((path) => `${PAGE} names ${path}, which is not there`),
  ...testsIn(line)
    .filter(({ file, title }) => !files.has(file) || !hasTitle(file, title))
    .map(({ file, title }) => `${PAGE} names a test “${title}” in ${file}, which is not there`),
])

const unproven = rows
  .filter(({ state }) => state === 'met')
  .flatMap(({ number, by }) => {
    const titled = new Set(testsIn(by).map(({ file }) => file))
    const named = pathsIn(by).filter((path) => files.has(path))
    const untitled = named.filter((file) => /\.test\.tsx?$/.test(file) && !titled.has(file))
    return [
      ...(named.length === 0 ? [`${PAGE} says that ${number} is met and names neither a test nor a file`] : []),
      ...untitled.map((file) => `${PAGE} names ${file} for ${number} without the title of a test`),
    ]
  })

const sums = lines.flatMap((line) => {
  const [, state, said] = SUM.exec(line) ?? []
  const counted = rows.filter((row) => row.state === state).length
  return state === undefined || counted === Number(said)
    ? []
    : [`${PAGE} says ${said} for “${state}”, where ${counted} rows say so`]
})
const missing = rows.length === REQUIREMENTS ? [] : [`${PAGE} has ${rows.length} rows: expected ${REQUIREMENTS}`]

report([...gone, ...unproven, ...sums, ...missing])
