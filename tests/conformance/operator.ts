import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../running-product.ts'

/** What an operator gets by typing `npm run client -- …` beside a running product. */
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
