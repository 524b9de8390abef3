import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { StartError } from '@sightline/platform/startup'

/** The key that checkpoints are signed with, as somebody noted it. @throws StartError if the file isn't an Ed25519 key in PEM. */
export async function notedKey(file: string): Promise<KeyObject> {
  try {
    const key = createPublicKey(await readFile(file, 'utf8'))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (cause) {
    throw new StartError(`Could not read ${file} as a public key in PEM format.`, { cause })
  }
  throw new StartError(`${file} is not an Ed25519 key.`)
}
