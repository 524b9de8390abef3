import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Check } from '../checks/list.ts'

const git = (...words: readonly string[]): string => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1e8 })

function commonAncestor(): string {
  for (const main of ['main', 'origin/main']) {
    try {
      return git('merge-base', 'HEAD', main).trim()
    } catch {
      // The clone may lack this branch; the next name may exist.
    }
  }
  return 'HEAD'
}

/** Files that differ from this branch's starting point on main, committed or not, including new and deleted ones. */
export function changedFiles(): readonly string[] {
  const since = git('diff', '--name-only', '--relative', '-z', commonAncestor()).split('\0')
  const fresh = git('ls-files', '-z', '--others', '--exclude-standard').split('\0')
  return [...new Set([...since, ...fresh])].filter((file) => file !== '')
}

/** The checks that a change of those files can affect, limited to these files where possible. */
export function selectChecks(all: readonly Check[], files: readonly string[]): readonly Check[] {
  return all.flatMap((check) => {
    const { changed, narrows, argv } = check
    const concerned = changed === undefined ? [] : files.filter((file) => changed.test(file))
    if (concerned.length === 0) return []
    if (narrows === undefined) return [check]
    const there = concerned.filter((file) => existsSync(file))
    return there.length === 0 ? [] : [{ ...check, argv: argv.flatMap((word) => (word === narrows ? there : [word])) }]
  })
}
