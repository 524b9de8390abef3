import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's options for the verification. */
export type AuditCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'publicKey' }
  | {
      readonly kind: 'verify'
      readonly accountId: number | undefined
      /** Absolute. */
      readonly checkpoints: string | undefined
      readonly publicKey: string | undefined
      /** Milliseconds since 1970. */
      readonly since: number | undefined
    }

export const USAGE = `npm run audit:verify -- [options]

Verifies that no audit log entry was changed, removed, added or reordered. Works while Sightline is
running, or on the data folder when it is stopped. Exit codes: 0 no problems, 1 problems found, 2 could not verify.

  --account <id>         verify only this account, reseller or distributor
  --since <time>         start at the last checkpoint before this time, such as 2026-11-21 or 2026-11-21T18:00Z
  --checkpoints <file>   compare with this copy of checkpoints.ndjson, which can be older than the database
  --key <file>           use this public key (PEM) instead of the one in the data folder
  --public-key           print the public key and exit
`

const OPTIONS = {
  account: { type: 'string' },
  since: { type: 'string' },
  checkpoints: { type: 'string' },
  key: { type: 'string' },
  'public-key': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const ID = /^[1-9][0-9]{0,15}$/
/** Without a zone it would be the time of whichever machine this runs on. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<AuditCommand, string> {
  const parsed = parse(words)
  if (!parsed.ok) return parsed
  const { account, since, checkpoints, key, help } = parsed.value
  if (help === true) return ok({ kind: 'help' })
  if (parsed.value['public-key'] === true) return ok({ kind: 'publicKey' })
  if (account !== undefined && !ID.test(account)) return fail('--account must be a number.')
  const sinceMs = since === undefined ? undefined : Date.parse(since)
  if (since !== undefined && !(TIME.test(since) && Number.isFinite(sinceMs))) {
    return fail('--since must be a time such as 2026-11-21 or 2026-11-21T18:00Z.')
  }
  return ok({
    kind: 'verify',
    accountId: account === undefined ? undefined : Number(account),
    since: sinceMs,
    checkpoints: checkpoints === undefined ? undefined : resolve(checkpoints),
    publicKey: key === undefined ? undefined : resolve(key),
  })
}

function parse(words: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...words], options: OPTIONS, strict: true }).values)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
