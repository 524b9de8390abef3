import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for machines with media workers. */
export type MachineCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  /** `file`: where its credentials are written. */
  | { readonly kind: 'add'; readonly name: string; readonly file: string }
  | { readonly kind: 'revoke'; readonly name: string }

export const USAGE = `npm run workers -- <command>

  add <name> [--file <path>]  let a machine's media workers join; writes its certificate and keys to a file (default
                              <name>.json), which belongs on that machine and nowhere else. For a machine that exists,
                              this replaces its certificate: the old one stops working within seconds.
  list                        list all machines
  revoke <name>               end all that a machine may do, within seconds: its link, and its access to the database
`

const NAME = /^[a-z][a-z0-9]{0,30}$/
/** The front's own workers and disk, and the front itself. */
const RESERVED = ['media', 'disk', 'front']

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<MachineCommand, string> {
  const [kind, name, ...rest] = words
  switch (kind) {
    case undefined:
    case 'help':
    case '--help':
      return ok({ kind: 'help' })
    case 'list':
      return name === undefined ? ok({ kind }) : fail('list takes no arguments.')
    case 'add':
      return readAdd(name, rest)
    case 'revoke':
      return name === undefined || rest.length > 0 ? fail('revoke needs the name of one machine.') : ok({ kind, name })
    default:
      return fail(`Unknown command ${kind}.`)
  }
}

function readAdd(name: string | undefined, rest: readonly string[]): Result<MachineCommand, string> {
  if (name === undefined || !NAME.test(name))
    return fail('add needs a name of lowercase letters and digits, such as north.')
  if (RESERVED.includes(name)) return fail(`${name} is reserved. Choose another name.`)
  const [option, file, ...more] = rest
  if (option === undefined) return ok({ kind: 'add', name, file: `${name}.json` })
  return option === '--file' && file !== undefined && more.length === 0
    ? ok({ kind: 'add', name, file })
    : fail(`Unknown argument ${option}.`)
}
