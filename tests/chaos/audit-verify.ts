import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { repository } from '../running-product.ts'

export interface VerifyResult {
  readonly code: number | null
  readonly output: string
}

/** The output of `npm run audit:verify` for that data folder. */
export async function auditVerify(dataFolder: string, ...words: readonly string[]): Promise<VerifyResult> {
  const child = spawn(process.execPath, [join(repository, 'server/run/programs/audit-verify.ts'), ...words], {
    env: { PATH: process.env.PATH ?? '', SIGHTLINE_DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, output: `${out}${err}` }
}
