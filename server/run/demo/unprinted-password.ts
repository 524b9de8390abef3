import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The demo's generated password between being set and being printed. Otherwise an interrupted first start would leave
 * users with an unknown password.
 */
export interface UnprintedPassword {
  readonly password: string
  /** Deleted once printed. */
  forget(): Promise<void>
}

const fileIn = (dataFolder: string): string => join(dataFolder, 'demonstration-password')

/** The password that an interrupted start left, or undefined. */
export async function findUnprinted(dataFolder: string): Promise<UnprintedPassword | undefined> {
  try {
    return unprinted(dataFolder, await readFile(fileIn(dataFolder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Stores the password (mode 0600) before it is set. */
export async function keepUnprinted(dataFolder: string, password: string): Promise<UnprintedPassword> {
  await writeFile(fileIn(dataFolder), password, { mode: 0o600, flush: true })
  return unprinted(dataFolder, password)
}

const unprinted = (dataFolder: string, password: string): UnprintedPassword => ({
  password,
  forget: () => rm(fileIn(dataFolder), { force: true }),
})
