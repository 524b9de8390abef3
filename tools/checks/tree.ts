import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Files of the working tree as git would commit them (with new files, without ignored and deleted ones), as paths from the
 * root. `endings` filters by the end of the name: `.ts`, `package.json`.
 */
export function productFiles(...endings: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return [...new Set(listed.split('\0'))]
    .filter((file) => file !== '' && existsSync(file))
    .filter((file) => endings.length === 0 || endings.some((ending) => file.endsWith(ending)))
    .sort()
}

/** Names of the folders directly in `folder`; empty if it does not exist. */
export function listFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => entry.name)
    .sort()
}

/** The workspaces of this repository, as folders from the root. */
export const workspaces = (): readonly string[] =>
  productFiles('/package.json').map((file) => file.slice(0, -'/package.json'.length))

export const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
