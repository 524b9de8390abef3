import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../running-product.ts'

/** Runs `npm run client -- …` like an operator next to a running product. */
export async function operator(
  product: { readonly dataFolder: string },
  ...words: string[]
): Promise<{ clientId: string; secret: string }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'server/run/programs/client.ts'), ...words],
    {
      env: { PATH: process.env.PATH, SIGHTLINE_DATA_DIR: product.dataFolder },
    },
  )
  const shown = (name: string) => new RegExp(`^${name}\\s+(\\S+)$`, 'm').exec(stdout)?.[1] ?? ''
  return { clientId: shown('client_id'), secret: shown('client_secret') }
}
