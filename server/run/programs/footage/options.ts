import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for footage on the disk. */
export type FootageCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'verify' | 'rebuild' }
  | {
      readonly kind: 'toMp4'
      readonly cameraId: number
      readonly stream: 'main' | 'sub'
      readonly from: number
      readonly to: number
      readonly out: string
    }

export const USAGE = `npm run footage -- <command>

  verify     check every byte of all footage, and that nothing is missing; best while the server is stopped
  rebuild    repair interrupted recordings and lists of footage, and print what there is; the server must be stopped
  to-mp4 --camera <id> --from <time> --to <time> --out <file> [--stream sub]
             write footage of a camera, or of its sub-stream, to an MP4 file; times like 2026-03-01T10:30:00Z

These commands read the data folder (SIGHTLINE_DATA_DIR) and need no database.
Exit code 1 if something is wrong, 2 if the arguments are invalid.
`

const OPTIONS = {
  camera: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string' },
  stream: { type: 'string' },
} as const

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<FootageCommand, string> {
  const [kind, ...rest] = words
  if (kind === undefined || kind === 'help' || kind === '--help') return ok({ kind: 'help' })
  if (kind === 'verify' || kind === 'rebuild')
    return rest.length === 0 ? ok({ kind }) : fail(`${kind} takes no options.`)
  if (kind !== 'to-mp4') return fail(`Unknown command ${kind}.`)
  return readMp4(rest)
}

function readMp4(words: readonly string[]): Result<FootageCommand, string> {
  const parsed = parse(words)
  if (!parsed.ok) return parsed
  const { camera = '', out = '', stream = 'main' } = parsed.value
  const [from, to] = [Date.parse(parsed.value.from ?? ''), Date.parse(parsed.value.to ?? '')]
  if (!/^[1-9][0-9]{0,15}$/.test(camera)) return fail('to-mp4 needs --camera and the id of a camera.')
  if (Number.isNaN(from) || Number.isNaN(to)) return fail('to-mp4 needs --from and --to, such as 2026-03-01T10:30:00Z.')
  if (to <= from) return fail('--to must be later than --from.')
  if (out === '') return fail('to-mp4 needs --out and the name of a new file.')
  if (stream !== 'main' && stream !== 'sub') return fail('--stream must be main or sub.')
  return ok({ kind: 'toMp4', cameraId: Number(camera), stream, from, to, out })
}

function parse(words: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...words], options: OPTIONS, strict: true }).values)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
