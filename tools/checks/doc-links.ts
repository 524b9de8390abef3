// Every page or source file named in a comment or a page must exist, so that renames leave no broken references.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { productFiles } from './tree.ts'
import { report } from './verdict.ts'

const NAMED =
  /(?<![\w/.@-])((?:docs|server|web|contract|tools|tests|bench|camera-simulator)\/[\w./-]+\.(?:md|ts|tsx|mjs|sql|json))(?![\w/])/g
const ROOT_PAGE = /(?<![\w/.-])((?:README|ARCHITECTURE|STYLE|CHANGELOG|SECURITY|CONTRIBUTING)\.md)/g
const DECISION = /(?<![\w.-])(docs\/decisions\/\d{4})(?![\w-])/g
const LINK = /\]\((?!\w+:|#)([^)\s#]+)(?:#[^)]*)?\)/g

const isThere = (path: string, from: string): boolean => existsSync(path) || existsSync(join(dirname(from), path))

function* namedIn(file: string, line: string): Generator<string> {
  for (const pattern of [NAMED, ROOT_PAGE]) for (const [, path = ''] of line.matchAll(pattern)) yield path
  for (const [, path = ''] of line.matchAll(DECISION)) yield path
  if (file.endsWith('.md')) for (const [, path = ''] of line.matchAll(LINK)) yield path
}

const decisions = productFiles('.md').filter((file) => file.startsWith('docs/decisions/'))
const exists = (path: string, from: string): boolean =>
  /^docs\/decisions\/\d{4}$/.test(path) ? decisions.some((page) => page.startsWith(`${path}-`)) : isThere(path, from)

/** Examples in the style guide and planted violations may name files that don't exist. */
const speaksOfExamples = (file: string): boolean => file === 'STYLE.md' || file.startsWith('tools/checks/planted-')

const broken = productFiles('.ts', '.tsx', '.mjs', '.md', '.sql')
  .filter((file) => !speaksOfExamples(file))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        [...new Set(namedIn(file, line))]
          .filter((path) => !exists(path, file))
          .map((path) => `${file}:${i + 1} names ${path}, which is not there`),
      ),
  )
report(broken)
