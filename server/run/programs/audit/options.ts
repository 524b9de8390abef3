import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '@sightline/platform/result'

/** What the operator wants to know of the audit log. */
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

Verifies that no line of the audit log was changed, removed, added or reordered since it was sealed, beside the running
service or on the data folder of a stopped one. Exit code 0: all is well. 1: something is not. 2: it could not be verified.

  --account <id>         one account, reseller or distributor only
  --since <time>         only what was sealed since the last checkpoint before then, as 2026-11-21 or 2026-11-21T18:00Z
  --checkpoints <file>   a copy of checkpoints.ndjson from elsewhere; it may end before the database does
  --key <file>           the public key as it was noted (PEM), instead of the one in the data folder
  --public-key           prints the public key and ends
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
  if (account !== undefined && !ID.test(account)) return fail('--account is a number.')
  const sinceMs = since === undefined ? undefined : Date.parse(since)
  if (since !== undefined && !(TIME.test(since) && Number.isFinite(sinceMs))) {
    return fail('--since is a time such as 2026-11-21 or 2026-11-21T18:00Z.')
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
