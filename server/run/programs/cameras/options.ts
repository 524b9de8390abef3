import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for cameras. */
export type CameraCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list'; readonly accountId: number | undefined }
  | { readonly kind: 'networks'; readonly accountId: number | undefined; readonly change: NetworkChange | undefined }
  | { readonly kind: 'add'; readonly accountId: number | undefined; readonly camera: CameraOptions }

/** A network that is assigned to an account, or no longer; in CIDR notation. */
export interface NetworkChange {
  readonly kind: 'assign' | 'withdraw'
  readonly network: string
}

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
  networks [--account <id>] [--assign <network> | --withdraw <network>]
                          list, assign or withdraw the networks that an account's cameras can be in, such as 192.168.1.0/24;
                          as long as none is assigned, every account has those of SIGHTLINE_CAMERA_NETWORKS
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
  assign: { type: 'string' },
  withdraw: { type: 'string' },
} as const

const NUMBER = /^[1-9][0-9]{0,15}$/

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<CameraCommand, string> {
  const [kind, ...rest] = words
  if (kind === undefined || kind === 'help' || kind === '--help') return ok({ kind: 'help' })
  if (kind !== 'add' && kind !== 'list' && kind !== 'networks') return fail(`Unknown command ${kind}.`)
  const parsed = parse(rest)
  if (!parsed.ok) return parsed
  const { account, name, address, zone, port, user, channel } = parsed.value
  const wrong = Object.entries({ account, port, channel }).find(([, text]) => text !== undefined && !NUMBER.test(text))
  if (wrong !== undefined) return fail(`--${wrong[0]} must be a number.`)
  const accountId = toNumber(account)
  if (kind === 'list') return ok({ kind, accountId })
  if (kind === 'networks') return readNetworks(accountId, parsed.value)
  if (name === undefined || address === undefined) return fail('add needs --name and --address.')
  const { path: streamPath, 'sub-path': subStreamPath, tls: https } = parsed.value
  const given = { port: toNumber(port), zone, username: user }
  const streams = { streamPath, subStreamPath, https, channel: toNumber(channel) }
  return ok({ kind, accountId, camera: { name, address, ...given, ...streams } })
}

const CIDR = /^[0-9a-f.:]+\/\d{1,3}$/i

function readNetworks(
  accountId: number | undefined,
  { assign, withdraw }: { readonly assign?: string | undefined; readonly withdraw?: string | undefined },
): Result<CameraCommand, string> {
  const network = assign ?? withdraw
  if (network === undefined) return ok({ kind: 'networks', accountId, change: undefined })
  if (assign !== undefined && withdraw !== undefined) return fail('Choose --assign or --withdraw.')
  if (!CIDR.test(network) || isIP(network.split('/')[0] ?? '') === 0)
    return fail(`${network} is not a network. Write it like 192.168.1.0/24.`)
  return ok({ kind: 'networks', accountId, change: { kind: assign === undefined ? 'withdraw' : 'assign', network } })
}

const toNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

function parse(words: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...words], options: OPTIONS, strict: true }).values)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
