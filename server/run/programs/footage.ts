import { join } from 'node:path'
import { footageKek, keysInFiles } from '@sightline/media/recording'
import type { Result } from '@sightline/platform/result'
import { openDataFolder } from '@sightline/platform/startup'
import { readConfig } from '../compose/config.ts'
import { readSecrets } from '../compose/secrets.ts'
import { runProgram, say } from './command-line.ts'
import { rebuildFootage, type StoredFootage, verifyFootage } from './footage/commands.ts'
import { type FootageCommand, readCommand, USAGE } from './footage/options.ts'
import { writeMp4 } from './footage/to-mp4.ts'

async function run(
  command: Exclude<FootageCommand, { kind: 'help' }>,
  dataFolder: string,
  footage: StoredFootage,
): Promise<Result<string, string>> {
  switch (command.kind) {
    case 'verify':
      return await verifyFootage(footage)
    case 'rebuild': {
      // Only one may write to the footage.
      await using _locked = await openDataFolder(dataFolder)
      return await rebuildFootage(footage)
    }
    case 'toMp4':
      return await writeMp4({ ...footage, ...command })
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
  const { dataFolder } = readConfig(process.env, false).config
  const { installationKey } = await readSecrets(dataFolder)
  const footage = { store: join(dataFolder, 'footage'), keys: keysInFiles(footageKek(installationKey)) }
  return say(await run(command.value, dataFolder, footage))
})
