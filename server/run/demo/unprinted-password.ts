import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The generated password of the demonstration between being set and being printed. A first start that is interrupted in
 * between would otherwise leave users whose password nobody has ever seen.
 */
export interface UnprintedPassword {
  readonly password: string
  /** Once it has been printed it is kept nowhere. */
  forget(): Promise<void>
}

const fileIn = (dataFolder: string): string => join(dataFolder, 'demonstration-password')

/** The password that an interrupted start left behind, or undefined. */
export async function findUnprinted(dataFolder: string): Promise<UnprintedPassword | undefined> {
  try {
    return unprinted(dataFolder, await readFile(fileIn(dataFolder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the password down (mode 0600) before it is set. */
export async function keepUnprinted(dataFolder: string, password: string): Promise<UnprintedPassword> {
  await writeFile(fileIn(dataFolder), password, { mode: 0o600, flush: true })
  return unprinted(dataFolder, password)
}

const unprinted = (dataFolder: string, password: string): UnprintedPassword => ({
  password,
  forget: () => rm(fileIn(dataFolder), { force: true }),
})
