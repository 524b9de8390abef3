// Every TypeScript file belongs to a compiled project; otherwise its types aren't checked.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { typeChecks } from './list.ts'
import { productFiles } from './tree.ts'
import { report } from './verdict.ts'

function filesOf(project: string): readonly string[] {
  const shown = execFileSync('node_modules/.bin/tsc', ['-p', project, '--showConfig'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const { files = [] } = JSON.parse(shown) as { files?: readonly string[] }
  return files.map((file) => join(dirname(project), file))
}

const compiled = new Set(typeChecks.flatMap(({ project }) => filesOf(project)))
report(
  productFiles('.ts', '.tsx')
    .filter((file) => !compiled.has(file))
    .map((file) => `${file} is in no project of the compiler; see tsconfig.json and tools/checks/list.ts`),
)
