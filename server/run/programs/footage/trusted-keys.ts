import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type HeadKey, readHeadKeys } from '@sightline/media/recording'
import { getFingerprint } from '@sightline/platform/signed-line'
import { StartError } from '@sightline/platform/startup'
import { listHeadKeys } from '../../compose/head-signer.ts'
import type { Secrets } from '../../compose/secrets.ts'

/** The keys that signatures under lists of footage are checked with. */
export interface TrustedKeys {
  readonly keys: readonly HeadKey[]
  /** Where they are from, a sentence. */
  readonly source: string
}

const fingerprints = (keys: readonly HeadKey[]): string =>
  keys.map(({ publicKey }) => `  ${getFingerprint(publicKey)}\n`).join('')

/** @throws StartError if it isn't the document that an installation publishes. */
export async function notedKeys(path: string): Promise<TrustedKeys> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new StartError(`Could not read ${path}.`, { cause })
  })
  const keys = readHeadKeys(text)
  if (keys === undefined)
    throw new StartError(
      `${path} is not a list of keys, as an installation publishes it at /.well-known/footage-keys.json.`,
    )
  return { keys, source: `Signatures were checked with the keys in ${path}:\n${fingerprints(keys)}` }
}

/** The data folder's own keys, which are beside what they prove. */
export function ownKeys(secrets: Secrets): TrustedKeys {
  const keys = listHeadKeys(secrets)
  return {
    keys,
    source: [
      'Signatures were checked with the keys in secrets.json of this data folder:',
      `${fingerprints(keys)}Anyone who could change the footage may have changed these too. Compare the fingerprints with noted ones, or`,
      'pass the keys that you fetched earlier with --public-keys.',
      '',
    ].join('\n'),
  }
}

/** The checkpoints of the audit log that lists of footage are compared with. */
export interface TrustedCheckpoints {
  readonly file: string
  /** They are signed with its private half; Ed25519. */
  readonly publicKey: KeyObject
}
