import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { authSecrets, dueSigningKeys, generateAuthSecrets } from '@sightline/auth/secrets'
import type { EpochMs } from '@sightline/platform/clock'
import { type DataFolder, StartError } from '@sightline/platform/startup'
import { z } from 'zod'
import { newMachineAuthority } from './machines/certificates.ts'

const base64Key = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32)

/** Private, PKCS #8. */
const privateKey = (type: 'ed25519' | 'ec') =>
  z.string().transform((text, context): KeyObject => {
    const key = privateKeyOrUndefined(Buffer.from(text, 'base64'))
    if (key?.asymmetricKeyType === type) return key
    context.addIssue({ code: 'custom', message: `not a private key of type ${type}` })
    return z.NEVER
  })

/** Ed25519, SPKI. */
const publicKey = z.string().transform((text, context): KeyObject => {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  } catch {
    context.addIssue({ code: 'custom', message: 'not a public key' })
    return z.NEVER
  }
})

/** One for each role of the database, and for the built-in server's superuser. */
const databasePasswords = z.strictObject({
  app: z.string(),
  auth: z.string(),
  media: z.string(),
  sealer: z.string(),
  alerts: z.string(),
  eraser: z.string(),
  jobs: z.string(),
  owner: z.string(),
  superuser: z.string(),
})

function privateKeyOrUndefined(key: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

const timeText = z.iso.datetime().transform((text) => Date.parse(text))

const footageSigning = z.strictObject({
  current: z.strictObject({ key: privateKey('ed25519'), createdAt: timeText }),
  retired: z.array(z.strictObject({ publicKey, createdAt: timeText, retiredAt: timeText })),
})

/** What other machines with media workers trust: the authority of their certificates, and who may ask for pictures. */
const machines = z.strictObject({
  authority: z.strictObject({ key: privateKey('ec'), certificate: z.string() }),
  grantKey: privateKey('ed25519'),
})

const VERSION = 1

const secretsFile = z.strictObject({
  version: z.literal(VERSION),
  /** Seals everything secret in the database and on disk. Lost, the footage is lost. */
  installationKey: base64Key,
  databasePasswords,
  auth: authSecrets,
  /** Signs the checkpoints of the audit log. */
  auditKey: privateKey('ed25519'),
  /**
   * P-256; push services identify our messages by it (RFC 8292). If it is lost, every browser has to subscribe again.
   */
  pushKey: privateKey('ec'),
  /** Sign the heads of the lists of footage: one does, and those before it are known by their public halves. */
  footageSigning,
  /** The key-encryption key of footage, if it isn't the one that follows from `installationKey`. */
  footageKek: base64Key.optional(),
  machines,
})

/** The installation's secrets. Created at the first start, then read at each start. */
export type Secrets = z.output<typeof secretsFile>

/**
 * Reads `secrets.json` (mode 0600) of the data folder, or creates it if the folder is empty. Keys for id tokens that
 * have signed for six months get a successor here, because only a start reads the file.
 *
 * @throws StartError if the file is damaged or of a newer version, or missing beside data that needs it.
 */
export async function loadSecrets(dataFolder: DataFolder, now: EpochMs = Date.now()): Promise<Secrets> {
  const file = join(dataFolder.path, 'secrets.json')
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new StartError(
      `Could not read ${file} (${cause.code}). Give the user that runs Sightline permission to read it.`,
      {
        cause,
      },
    )
  })
  if (text === undefined) return createSecrets(dataFolder, file, now)
  await chmod(file, 0o600)
  const completed = withLaterSecrets(jsonOrUndefined(text), now) ?? text
  const renewed = withDueKeys(completed, parseSecrets(file, completed), now)
  const secrets = parseSecrets(file, renewed)
  if (renewed !== text) await writeDurably(file, renewed)
  return secrets
}

/**
 * Reads the secrets of a data folder that may be in use by another process of ours, and changes nothing.
 *
 * @throws StartError if they are missing or of an earlier version.
 */
export async function readSecrets(folder: string): Promise<Secrets> {
  const file = join(folder, 'secrets.json')
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartError(`Could not read ${file}. Set SIGHTLINE_DATA_DIR to the data folder of your Sightline.`, {
      cause,
    })
  })
  if (withLaterSecrets(jsonOrUndefined(text), 0) !== undefined) {
    throw new StartError(
      `${file} was written by an earlier version. Start this version of Sightline once to update it.`,
    )
  }
  return parseSecrets(file, text)
}

/** Files of an earlier version lack some of these. */
const earlierFile = z.looseObject({
  databasePasswords: z.looseObject({}),
  auditKey: z.string().optional(),
  pushKey: z.string().optional(),
  footageSigning: z.looseObject({}).optional(),
  machines: z.looseObject({}).optional(),
})

/** With missing secrets created; undefined if none are missing. */
function withLaterSecrets(content: unknown, now: EpochMs): string | undefined {
  const earlier = earlierFile.safeParse(content)
  if (!earlier.success) return undefined
  const { auditKey, pushKey, footageSigning, machines, databasePasswords: passwords } = earlier.data
  const missing = LATER_ROLES.filter((role) => passwords[role] === undefined)
  const hasKeys = [auditKey, pushKey, footageSigning, machines].every((key) => key !== undefined)
  if (hasKeys && missing.length === 0) return undefined
  return textOf({
    ...earlier.data,
    databasePasswords: { ...passwords, ...Object.fromEntries(missing.map((role) => [role, newPassword()])) },
    auditKey: auditKey ?? newSigningKey(),
    pushKey: pushKey ?? newPushKey(),
    footageSigning: footageSigning ?? newFootageSigning(now),
    machines: machines ?? newMachineSecrets(now),
  })
}

const readableFile = z.looseObject({ auth: z.looseObject({}) })

/** The text with the keys for id tokens that are still valid. */
function withDueKeys(text: string, { auth }: Secrets, now: EpochMs): string {
  const signingKeys = dueSigningKeys(auth.signingKeys, now)
  if (signingKeys === undefined) return text
  const content = readableFile.parse(jsonOrUndefined(text))
  return textOf({ ...content, auth: { ...content.auth, signingKeys } })
}

const LATER_ROLES = ['sealer', 'alerts', 'eraser', 'jobs', 'owner', 'superuser'] as const
const newPassword = (): string => randomBytes(24).toString('base64url')
export const newSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const newPushKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64')
const newFootageSigning = (now: EpochMs) => ({
  current: { key: newSigningKey(), createdAt: new Date(now).toISOString() },
  retired: [],
})
/** The authority's key in DER, as all keys here; its certificate is public. */
function newMachineSecrets(now: EpochMs) {
  const { cert, key } = newMachineAuthority(now)
  const der = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return { authority: { key: der, certificate: cert }, grantKey: newSigningKey() }
}
/**
 * Changes the secrets of a data folder that no process of ours uses.
 *
 * @throws StartError as {@link readSecrets}, or if the change makes them invalid.
 */
export async function changeSecrets(
  folder: DataFolder,
  change: (secrets: Secrets) => Readonly<Partial<z.input<typeof secretsFile>>>,
): Promise<Secrets> {
  const file = join(folder.path, 'secrets.json')
  const changed = change(await readSecrets(folder.path))
  const text = textOf({ ...readableFile.parse(jsonOrUndefined(await readFile(file, 'utf8'))), ...changed })
  const secrets = parseSecrets(file, text)
  await writeDurably(file, text)
  return secrets
}

const textOf = (content: object): string => `${JSON.stringify(content, undefined, 2)}\n`

async function createSecrets(dataFolder: DataFolder, file: string, now: EpochMs): Promise<Secrets> {
  if (existsSync(join(dataFolder.path, 'postgres', 'cluster'))) {
    throw new StartError(
      `${file} is missing, and the data in its folder can't be read without it. Restore it from your backup.`,
    )
  }
  const content = {
    version: VERSION,
    installationKey: randomBytes(32).toString('base64'),
    databasePasswords: Object.fromEntries(databasePasswords.keyof().options.map((role) => [role, newPassword()])),
    auth: generateAuthSecrets(),
    auditKey: newSigningKey(),
    pushKey: newPushKey(),
    footageSigning: newFootageSigning(now),
    machines: newMachineSecrets(now),
  }
  const text = textOf(content)
  await writeDurably(file, text)
  return parseSecrets(file, text)
}

const numberedFile = z.looseObject({ version: z.number() })

/** A later version increases the file's version or adds fields; those known to this version stay complete. */
function isOfNewerVersion(content: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  const numbered = numberedFile.safeParse(content)
  const isNumberedHigher = numbered.success && numbered.data.version > VERSION
  return isNumberedHigher || (issues.length > 0 && issues.every(({ code }) => code === 'unrecognized_keys'))
}

function parseSecrets(file: string, text: string): Secrets {
  const content = jsonOrUndefined(text)
  const read = secretsFile.safeParse(content)
  if (read.success) return read.data
  if (isOfNewerVersion(content, read.error.issues)) {
    throw new StartError(
      `The data folder was last used by a newer version of Sightline (${file} contains unknown secrets). Start that version, or restore a backup from before the upgrade.`,
    )
  }
  throw new StartError(`${file} is damaged. Restore it from your backup.`)
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Written completely or not at all, even in a power cut. */
async function writeDurably(file: string, text: string): Promise<void> {
  const unfinished = `${file}.new`
  await rm(unfinished, { force: true })
  const handle = await open(unfinished, 'wx', 0o600)
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
  await rename(unfinished, file)
  const folder = await open(join(file, '..'), 'r')
  await folder.sync()
  await folder.close()
}
