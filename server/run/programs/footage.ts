import { join } from 'node:path'
import { keysInFiles } from '@sightline/media/recording'
import type { Result } from '@sightline/platform/result'
import { publicHalf } from '@sightline/platform/signed-line'
import { openDataFolder } from '@sightline/platform/startup'
import { readConfig } from '../compose/config.ts'
import { findFootageKek } from '../compose/footage-secrets.ts'
import { readSecrets } from '../compose/secrets.ts'
import { notedKey } from './audit/noted-key.ts'
import { runProgram, say } from './command-line.ts'
import { rebuildFootage, type StoredFootage, verifyFootage } from './footage/commands.ts'
import { readKeyFile } from './footage/key-file.ts'
import { exportKey, importKey, renewSigningKey } from './footage/keys.ts'
import { type FootageCommand, readCommand, USAGE } from './footage/options.ts'
import { writeMp4 } from './footage/to-mp4.ts'
import { notedKeys, ownKeys, type TrustedCheckpoints, type TrustedKeys } from './footage/trusted-keys.ts'

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

async function run(
  command: Exclude<FootageCommand, { kind: 'help' }>,
  dataFolder: string,
): Promise<Result<string, string>> {
  switch (command.kind) {
    case 'verify':
      return await verifyFootage(
        await storedFootage(dataFolder, command.key),
        await trustedKeys(dataFolder, command),
        await trustedCheckpoints(dataFolder, command),
      )
    case 'toMp4':
      return await writeMp4({ ...(await storedFootage(dataFolder, command.key)), ...command })
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

/** What `npm run footage` runs. It needs the data folder alone. */
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
  return say(await run(command.value, readConfig(process.env, false).config.dataFolder))
})
