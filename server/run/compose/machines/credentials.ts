import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { StartError } from '@sightline/platform/startup'
import { z } from 'zod'

const VERSION = 1

const publicKey = z.string().transform((text, context): KeyObject => {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  } catch {
    context.addIssue({ code: 'custom', message: 'not a public key' })
    return z.NEVER
  }
})

const credentialsFile = z.strictObject({
  version: z.literal(VERSION),
  /** Of the machine. */
  name: z.string(),
  /** PEM, as the key and the authority's certificate. */
  certificate: z.string(),
  key: z.string(),
  authority: z.string(),
  /** Public half of the key that seals the front's requests. */
  grantKey: publicKey,
  /** Its own user of the database, with the rights of media workers. */
  database: z.strictObject({ user: z.string(), password: z.string() }),
})

/** What a machine needs to be a part of an installation; a secret. */
export type MachineCredentials = z.output<typeof credentialsFile>

export const credentialsText = (
  credentials: Omit<MachineCredentials, 'version' | 'grantKey'> & { readonly grantKey: KeyObject },
): string => {
  const grantKey = credentials.grantKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return `${JSON.stringify({ version: VERSION, ...credentials, grantKey }, undefined, 2)}\n`
}

/** @throws StartError if the file is missing, readable for others, or damaged. */
export async function readCredentials(file: string): Promise<MachineCredentials> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartError(
      `Could not read ${file}. Make it with npm run workers -- add <name> on the machine of the front, and copy it here.`,
      { cause },
    )
  })
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0)
    throw new StartError(`${file} contains keys, and other users of this machine can read it. Run chmod 600 on it.`)
  const read = credentialsFile.safeParse(jsonOrUndefined(text))
  if (!read.success) throw new StartError(`${file} is damaged, or was made by another version of Sightline.`)
  return read.data
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
