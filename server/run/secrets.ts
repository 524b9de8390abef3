import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { authSecrets, generateAuthSecrets } from '@sightline/auth'
import { type DataFolder, StartRefused } from '@sightline/platform/startup'
import { z } from 'zod'

const base64Key = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32)

const secretsFile = z.strictObject({
  version: z.literal(1),
  /** Seals everything secret in the database and on disk. Lost, the footage is lost. */
  installationKey: base64Key,
  databasePasswords: z.strictObject({ app: z.string(), auth: z.string(), media: z.string() }),
  auth: authSecrets,
})

/** What this installation must keep to itself. Made at the first start, read at every other one. */
export type Secrets = z.output<typeof secretsFile>

/**
 * Reads `secrets.json` (mode 0600) of the data folder, or makes it where the folder is still empty.
 * @throws StartRefused when it is damaged, or missing beside data that can only be read with it.
 */
export async function loadSecrets(dataFolder: DataFolder): Promise<Secrets> {
  const file = join(dataFolder.path, 'secrets.json')
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new StartRefused(`${file} cannot be read (${cause.code}): give the user that runs Sightline the right to.`, {
      cause,
    })
  })
  if (text === undefined) return createSecrets(dataFolder, file)
  await chmod(file, 0o600)
  return parseSecrets(file, text)
}

async function createSecrets(dataFolder: DataFolder, file: string): Promise<Secrets> {
  if (existsSync(join(dataFolder.path, 'postgres', 'cluster'))) {
    throw new StartRefused(
      `${file} is missing, and the data beside it cannot be read without it: restore it from your backup.`,
    )
  }
  const password = () => randomBytes(24).toString('base64url')
  const content = {
    version: 1,
    installationKey: randomBytes(32).toString('base64'),
    databasePasswords: { app: password(), auth: password(), media: password() },
    auth: generateAuthSecrets(),
  }
  const text = `${JSON.stringify(content, undefined, 2)}\n`
  await writeDurably(file, text)
  return parseSecrets(file, text)
}

function parseSecrets(file: string, text: string): Secrets {
  const read = secretsFile.safeParse(jsonOrUndefined(text))
  if (!read.success) throw new StartRefused(`${file} is damaged: restore it from your backup.`)
  return read.data
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Complete or not there at all, also after a power cut. */
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
