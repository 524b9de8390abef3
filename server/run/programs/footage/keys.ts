import { join } from 'node:path'
import { listAccounts, readAccountKeys, unwrapKey } from '@sightline/media/recording'
import { fail, ok, type Result } from '@sightline/platform/result'
import { getFingerprint } from '@sightline/platform/signed-line'
import type { DataFolder } from '@sightline/platform/startup'
import { findFootageKek, rotateFootageSigning, saveFootageKek } from '../../compose/footage-secrets.ts'
import { readSecrets } from '../../compose/secrets.ts'
import { readKeyFile, writeKeyFile } from './key-file.ts'

/** Writes the key of the data folder's footage to a file. */
export async function exportKey(dataFolder: string, out: string): Promise<Result<string, string>> {
  await writeKeyFile(out, findFootageKek(await readSecrets(dataFolder)))
  return ok(
    [
      `Wrote the key of all footage to ${out}.`,
      'WARNING: Anyone who has this file and a copy of the footage can watch all of it. Keep it apart from the footage, where only',
      'administrators can read it, for example on paper or a USB stick in a safe, and delete it from this machine.',
      'It opens footage only. Passwords of cameras and everything else need secrets.json: back that up as well.',
      '',
    ].join('\n'),
  )
}

/** Makes the key in a file the one of this data folder, unless that would lose footage. */
export async function importKey(folder: DataFolder, path: string): Promise<Result<string, string>> {
  const kek = await readKeyFile(path)
  const current = findFootageKek(await readSecrets(folder.path))
  const opened = { current: 0, imported: 0 }
  const store = join(folder.path, 'footage')
  let keys = 0
  for (const accountId of await listAccounts(store)) {
    for (const key of await readAccountKeys(store, accountId)) {
      keys++
      if (unwrapKey(key, { accountId }, current) !== undefined) opened.current++
      if (unwrapKey(key, { accountId }, kek) !== undefined) opened.imported++
    }
  }
  if (keys > 0 && opened.imported === 0)
    return fail(`${path} does not open any footage in ${store}. Nothing was changed.`)
  if (opened.current > 0 && opened.imported < keys)
    return fail(
      `The key of this data folder opens footage in ${store} that ${path} does not open. Nothing was changed. To read the footage of ${path}, pass it to to-mp4 with --key.`,
    )
  await saveFootageKek(folder, kek)
  return ok('The key was imported. Footage that was encrypted with it is readable from the next start on.\n')
}

/** Signs with a new key from the next start on. */
export async function renewSigningKey(folder: DataFolder, now: number): Promise<Result<string, string>> {
  const { footageSigning } = await rotateFootageSigning(folder, now)
  return ok(
    [
      'From the next start on, lists of footage are signed with a new key. Its fingerprint:',
      getFingerprint(footageSigning.current.key),
      'The private half of the key before it was deleted; its public half stays published. If you have noted the public keys, fetch them again.',
      '',
    ].join('\n'),
  )
}
