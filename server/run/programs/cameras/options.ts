import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for cameras. */
export type CameraCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list'; readonly accountId: number | undefined }
  | { readonly kind: 'add'; readonly accountId: number | undefined; readonly camera: CameraOptions }

/** A camera as the operator names it; the password is asked for. */
export interface CameraOptions {
  readonly name: string
  readonly address: string
  readonly zone: string | undefined
  readonly port: number | undefined
  readonly username: string | undefined
  readonly streamPath: string | undefined
  readonly subStreamPath: string | undefined
  /** Which input of a recorder, from 1. */
  readonly channel: number | undefined
  /** Whether its streams are fetched over TLS. */
  readonly https: boolean | undefined
}

export const USAGE = `npm run camera -- <command>

  add --name <name> --address <host> …   add a camera and wait until its video arrives
      --user <name>       user name on the camera; its password is asked for, or read from standard input
      --path <path>       path of its stream, for cameras without ONVIF, such as /stream1
      --sub-path <path>   path of its smaller stream, if it has one; only with --path
      --channel <number>  which input of a recorder, counted from 1; the first by default
      --tls               fetch the streams over TLS (RTSPS); only with --path
      --port <number>     ONVIF port (80 and other usual ones by default), or RTSP port with --path (554 by default, 322 with --tls)
      --zone <name>       zone that it belongs to; the first zone of the account by default
      --account <id>      account that it belongs to; not needed while there is only one
  list [--account <id>]   list cameras with their address and state
`

const OPTIONS = {
  name: { type: 'string' },
  address: { type: 'string' },
  user: { type: 'string' },
  path: { type: 'string' },
  'sub-path': { type: 'string' },
  channel: { type: 'string' },
  tls: { type: 'boolean' },
  port: { type: 'string' },
  zone: { type: 'string' },
  account: { type: 'string' },
} as const

const NUMBER = /^[1-9][0-9]{0,15}$/

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<CameraCommand, string> {
  const [kind, ...rest] = words
  if (kind === undefined || kind === 'help' || kind === '--help') return ok({ kind: 'help' })
  if (kind !== 'add' && kind !== 'list') return fail(`Unknown command ${kind}.`)
  const parsed = parse(rest)
  if (!parsed.ok) return parsed
  const { account, name, address, zone, port, user, channel } = parsed.value
  const wrong = Object.entries({ account, port, channel }).find(([, text]) => text !== undefined && !NUMBER.test(text))
  if (wrong !== undefined) return fail(`--${wrong[0]} must be a number.`)
  const accountId = toNumber(account)
  if (kind === 'list') return ok({ kind, accountId })
  if (name === undefined || address === undefined) return fail('add needs --name and --address.')
  const { path: streamPath, 'sub-path': subStreamPath, tls: https } = parsed.value
  const given = { port: toNumber(port), zone, username: user }
  const streams = { streamPath, subStreamPath, https, channel: toNumber(channel) }
  return ok({ kind, accountId, camera: { name, address, ...given, ...streams } })
}

const toNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

function parse(words: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...words], options: OPTIONS, strict: true }).values)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
