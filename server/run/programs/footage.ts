import { join } from 'node:path'
import { type FootageBucket, openFootageFiles } from '@sightline/media/control'
import { FootageAway, keysInFiles } from '@sightline/media/recording'
import { fail, type Result } from '@sightline/platform/result'
import { publicHalf } from '@sightline/platform/signed-line'
import { openDataFolder } from '@sightline/platform/startup'
import { readConfig } from '../compose/config.ts'
import { findFootageKek } from '../compose/footage-secrets.ts'
import { readSecrets } from '../compose/secrets.ts'
import { notedKey } from './audit/noted-key.ts'
import { runProgram, say } from './command-line.ts'
import { rebuildFootage, type StoredFootage, verifyFootage } from './footage/commands.ts'
import { exportFootage } from './footage/export.ts'
import { readKeyFile } from './footage/key-file.ts'
import { exportKey, importKey, renewSigningKey } from './footage/keys.ts'
import { type FootageCommand, readCommand, USAGE } from './footage/options.ts'
import { writeMp4 } from './footage/to-mp4.ts'
import { notedKeys, ownKeys, type TrustedCheckpoints, type TrustedKeys } from './footage/trusted-keys.ts'
import { type TrustedSigners, toSigners, verifyExports } from './footage/verify-export.ts'

/** @param key file of an exported key; undefined: the data folder's own. */
async function storedFootage(dataFolder: string, key: string | undefined): Promise<StoredFootage> {
  const kek = key === undefined ? findFootageKek(await readSecrets(dataFolder)) : await readKeyFile(key)
  return { store: join(dataFolder, 'footage'), keys: keysInFiles(kek) }
}

/** Undefined if an exported key takes the place of the secrets. */
async function trustedKeys(
  dataFolder: string,
  { key, publicKeys }: Extract<FootageCommand, { kind: 'verify' }>,
): Promise<TrustedKeys | undefined> {
  if (publicKeys !== undefined) return await notedKeys(publicKeys)
  return key === undefined ? ownKeys(await readSecrets(dataFolder)) : undefined
}

async function trustedCheckpoints(
  dataFolder: string,
  { checkpoints, auditKey }: Extract<FootageCommand, { kind: 'verify' }>,
): Promise<TrustedCheckpoints | undefined> {
  if (checkpoints === undefined) return undefined
  const publicKey =
    auditKey === undefined ? publicHalf((await readSecrets(dataFolder)).auditKey) : await notedKey(auditKey)
  return { file: checkpoints, publicKey }
}

interface Settings {
  readonly dataFolder: string
  /** Undefined if footage is on the disk alone. */
  readonly s3: FootageBucket | undefined
}

async function verify(
  command: Extract<FootageCommand, { kind: 'verify' }>,
  { dataFolder, s3 }: Settings,
): Promise<Result<string, string>> {
  if (command.readsBucket && s3 === undefined)
    return fail('--s3 needs the settings of the bucket: SIGHTLINE_S3_BUCKET and its keys.')
  const stored = await storedFootage(dataFolder, command.key)
  const trusted = [await trustedKeys(dataFolder, command), await trustedCheckpoints(dataFolder, command)] as const
  if (!command.readsBucket) return await verifyFootage(stored, ...trusted)
  using footage = openFootageFiles({ store: stored.store, s3 })
  try {
    return await verifyFootage({ ...stored, files: footage.files }, ...trusted)
  } catch (cause) {
    if (cause instanceof FootageAway) return fail(`The check is incomplete: ${cause.message}.`)
    throw cause
  }
}

async function footageToMp4(
  command: Extract<FootageCommand, { kind: 'toMp4' }>,
  { dataFolder, s3 }: Settings,
): Promise<Result<string, string>> {
  const stored = await storedFootage(dataFolder, command.key)
  using footage = openFootageFiles({ store: stored.store, s3 })
  try {
    return await writeMp4({ ...stored, ...command, files: footage.files })
  } catch (cause) {
    if (cause instanceof FootageAway) return fail(`${command.out} is incomplete: ${cause.message}.`)
    throw cause
  }
}

async function writeExport(
  command: Extract<FootageCommand, { kind: 'export' }>,
  { dataFolder, s3 }: Settings,
): Promise<Result<string, string>> {
  const stored = await storedFootage(dataFolder, undefined)
  using footage = openFootageFiles({ store: stored.store, s3 })
  const secrets = await readSecrets(dataFolder)
  return await exportFootage({ ...stored, ...command, files: footage.files, secrets })
}

async function trustedSigners(
  dataFolder: string,
  { publicKeys, fingerprint }: Extract<FootageCommand, { kind: 'verifyExport' }>,
): Promise<TrustedSigners> {
  if (fingerprint !== undefined)
    return { fingerprints: [fingerprint], source: 'Signatures were checked with the fingerprint that was given.' }
  return toSigners(publicKeys === undefined ? ownKeys(await readSecrets(dataFolder)) : await notedKeys(publicKeys))
}

async function run(
  command: Exclude<FootageCommand, { kind: 'help' }>,
  footage: Settings,
): Promise<Result<string, string>> {
  const { dataFolder } = footage
  switch (command.kind) {
    case 'verify':
      return await verify(command, footage)
    case 'toMp4':
      return await footageToMp4(command, footage)
    case 'export':
      return await writeExport(command, footage)
    case 'verifyExport':
      return await verifyExports(command.files, await trustedSigners(dataFolder, command))
    case 'exportKey':
      return await exportKey(dataFolder, command.out)
  }
  // Only one may write to the data folder.
  await using folder = await openDataFolder(dataFolder)
  switch (command.kind) {
    case 'rebuild':
      return await rebuildFootage(await storedFootage(dataFolder, undefined))
    case 'importKey':
      return await importKey(folder, command.key)
    case 'newSigningKey':
      return await renewSigningKey(folder, Date.now())
  }
}

/** What `npm run footage` runs. It needs the data folder alone, and the bucket for what only S3 has. */
await runProgram(async () => {
  const command = readCommand(process.argv.slice(2))
  if (!command.ok) {
    process.stderr.write(`${command.failure}\n\n${USAGE}`)
    return 2
  }
  if (command.value.kind === 'help') {
    process.stdout.write(USAGE)
    return 0
  }
  const { config, given } = readConfig(process.env, false)
  const s3 = config.footageBucket && { ...config.footageBucket, secretKey: given.s3SecretKey ?? '' }
  return say(await run(command.value, { dataFolder: config.dataFolder, s3 }))
})
