import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for footage on the disk. */
export type FootageCommand =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'verify'
      readonly key: string | undefined
      readonly publicKeys: string | undefined
      readonly checkpoints: string | undefined
      readonly auditKey: string | undefined
      /** Whether footage that only the bucket has is read from there. */
      readonly readsBucket: boolean
    }
  | { readonly kind: 'rebuild' | 'newSigningKey' }
  | {
      readonly kind: 'toMp4'
      readonly key: string | undefined
      readonly cameraId: number
      readonly stream: 'main' | 'sub'
      readonly from: number
      readonly to: number
      readonly out: string
    }
  | {
      readonly kind: 'export'
      readonly cameraId: number
      readonly stream: 'main' | 'sub'
      readonly from: number
      readonly to: number
      readonly out: string
      readonly reason: string | undefined
    }
  | {
      readonly kind: 'verifyExport'
      readonly files: readonly string[]
      readonly publicKeys: string | undefined
      /** Of a public key, 64 hexadecimal digits. */
      readonly fingerprint: string | undefined
    }
  | { readonly kind: 'exportKey'; readonly out: string }
  | { readonly kind: 'importKey'; readonly key: string }

export const USAGE = `npm run footage -- <command>

  verify [--public-keys <file>] [--key <file>] [--checkpoints <file>] [--audit-key <file>] [--s3]
             check every byte of all footage, that nothing is missing, and the signatures; best while the server is stopped
             --public-keys: the installation's /.well-known/footage-keys.json, fetched earlier
             --checkpoints: a copy of the audit log's checkpoints, which have the end of each list once a day
             --audit-key: the public key, noted earlier, that they are signed with; otherwise that of secrets.json
             --s3: also read the footage that only the bucket has, all of it; its settings must be given
  rebuild    repair interrupted recordings and lists of footage, and print what there is; the server must be stopped
  to-mp4 --camera <id> --from <time> --to <time> --out <file> [--stream sub] [--key <file>]
             write footage of a camera, or of its sub-stream, to an MP4 file; times like 2026-03-01T10:30:00Z
  export --camera <id> --from <time> --to <time> --out <file> [--stream sub] [--reason <text>]
             write footage to an MP4 file that proves itself: a signed manifest is at its end
  verify-export [--public-keys <file>] [--fingerprint <hex>] <file>...
             check exported files: that nothing was changed, cut or added, and which installation signed them
             --fingerprint: of its key, noted earlier; spaces and colons don't matter
  export-key --out <file>
             write the key that opens all footage to a new file, for safekeeping
  import-key --key <file>
             use an exported key in this data folder; the server must be stopped
  new-signing-key
             sign lists of footage with a new key from the next start on; the server must be stopped

With --key <file>, an exported key takes the place of secrets.json.
These commands read the data folder (SIGHTLINE_DATA_DIR) and need no database.
Exit code 1 if something is wrong, 2 if the arguments are invalid.
`

const OPTIONS = {
  camera: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string' },
  stream: { type: 'string' },
  key: { type: 'string' },
  'public-keys': { type: 'string' },
  checkpoints: { type: 'string' },
  'audit-key': { type: 'string' },
  s3: { type: 'boolean' },
  reason: { type: 'string' },
  fingerprint: { type: 'string' },
} as const

type Given = { readonly [Name in keyof Omit<typeof OPTIONS, 's3'>]?: string | undefined } & {
  readonly s3?: boolean | undefined
}

/** The options that each command takes. */
const TAKEN: Readonly<Record<string, readonly (keyof Given)[]>> = {
  verify: ['public-keys', 'key', 'checkpoints', 'audit-key', 's3'],
  rebuild: [],
  'new-signing-key': [],
  'to-mp4': ['camera', 'from', 'to', 'out', 'stream', 'key'],
  export: ['camera', 'from', 'to', 'out', 'stream', 'reason'],
  'verify-export': ['public-keys', 'fingerprint'],
  'export-key': ['out'],
  'import-key': ['key'],
}

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<FootageCommand, string> {
  const [kind, ...rest] = words
  if (kind === undefined || kind === 'help' || kind === '--help') return ok({ kind: 'help' })
  const taken = Object.hasOwn(TAKEN, kind) ? TAKEN[kind] : undefined
  if (taken === undefined) return fail(`Unknown command ${kind}.`)
  if (taken.length === 0 && rest.length > 0) return fail(`${kind} takes no options.`)
  const parsed = parse(rest, kind === 'verify-export')
  if (!parsed.ok) return parsed
  const { values: given, positionals } = parsed.value
  const unknown = (Object.keys(given) as (keyof Given)[]).find((name) => !taken.includes(name))
  if (unknown !== undefined) return fail(`${kind} does not take --${unknown}.`)
  return kind === 'verify-export' ? verifyExportCommand(given, positionals) : toCommand(kind, given)
}

function toCommand(kind: string, given: Given): Result<FootageCommand, string> {
  const { key, out = '' } = given
  switch (kind) {
    case 'verify':
      return verifyCommand(given)
    case 'rebuild':
      return ok({ kind })
    case 'new-signing-key':
      return ok({ kind: 'newSigningKey' })
    case 'export-key':
      return out === '' ? fail('export-key needs --out and the name of a new file.') : ok({ kind: 'exportKey', out })
    case 'import-key':
      return key === undefined ? fail('import-key needs --key and an exported key.') : ok({ kind: 'importKey', key })
    case 'export':
      return exportCommand(given)
    default:
      return toMp4Command(given)
  }
}

function exportCommand(given: Given): Result<FootageCommand, string> {
  const read = toMp4Command(given, 'export')
  if (!read.ok || read.value.kind !== 'toMp4') return read
  const { key: _, ...what } = read.value
  return ok({ ...what, kind: 'export', reason: given.reason })
}

function verifyExportCommand(given: Given, files: readonly string[]): Result<FootageCommand, string> {
  const fingerprint = given.fingerprint?.replaceAll(/[\s:]/g, '').toLowerCase()
  if (files.length === 0) return fail('verify-export needs the names of files.')
  if (fingerprint !== undefined && !/^[0-9a-f]{64}$/.test(fingerprint))
    return fail('--fingerprint needs 64 hexadecimal digits.')
  if (fingerprint !== undefined && given['public-keys'] !== undefined)
    return fail('Use either --fingerprint or --public-keys.')
  return ok({ kind: 'verifyExport', files, publicKeys: given['public-keys'], fingerprint })
}

function verifyCommand(given: Given): Result<FootageCommand, string> {
  const { key, checkpoints, 'public-keys': publicKeys, 'audit-key': auditKey } = given
  if (auditKey !== undefined && checkpoints === undefined) return fail('--audit-key needs --checkpoints.')
  if (key !== undefined && checkpoints !== undefined && auditKey === undefined)
    return fail('--checkpoints with --key needs --audit-key, because secrets.json is not read.')
  return ok({ kind: 'verify', key, publicKeys, checkpoints, auditKey, readsBucket: given.s3 === true })
}

function toMp4Command(given: Given, name = 'to-mp4'): Result<FootageCommand, string> {
  const { key, camera = '', out = '', stream = 'main' } = given
  const [from, to] = [Date.parse(given.from ?? ''), Date.parse(given.to ?? '')]
  if (!/^[1-9][0-9]{0,15}$/.test(camera)) return fail(`${name} needs --camera and the id of a camera.`)
  if (Number.isNaN(from) || Number.isNaN(to))
    return fail(`${name} needs --from and --to, such as 2026-03-01T10:30:00Z.`)
  if (to <= from) return fail('--to must be later than --from.')
  if (out === '') return fail(`${name} needs --out and the name of a new file.`)
  if (stream !== 'main' && stream !== 'sub') return fail('--stream must be main or sub.')
  return ok({ kind: 'toMp4', key, cameraId: Number(camera), stream, from, to, out })
}

function parse(words: readonly string[], allowPositionals: boolean) {
  try {
    return ok(parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals }))
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
