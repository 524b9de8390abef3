import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Files of the working tree as git would commit them (new ones included, ignored and deleted ones not), as paths from the
 * root. `endings` narrows by the end of the name: `.ts`, `package.json`.
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

/** Names of the folders directly in `folder`; none if it is not there. */
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
