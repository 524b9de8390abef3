// Every test that the page of the security standard names exists under that name; doc-links holds that its file does.
import { existsSync, readFileSync } from 'node:fs'
import { report } from './verdict.ts'

const PAGE = 'docs/reference/asvs.md'
const NAMED = /`([\w./-]+\.test\.tsx?)` “([^”]+)”/g

report(
  [...readFileSync(PAGE, 'utf8').matchAll(NAMED)]
    .filter(([, file = '', name = '']) => !existsSync(file) || !readFileSync(file, 'utf8').includes(name))
    .map(([, file, name]) => `${PAGE} names a test “${name}” in ${file}, which is not there`),
)
