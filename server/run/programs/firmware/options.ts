import { parseArgs } from 'node:util'
import { firmwareLabelProblem, firmwareVersionProblem } from '@sightline/contract/firmware'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for firmware. */
export type FirmwareCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'remove'; readonly imageId: number }
  | { readonly kind: 'add'; readonly image: FirmwareFile }

/** An image as the operator names it. */
export interface FirmwareFile {
  readonly file: string
  /** As the cameras report it; the same for the model. */
  readonly brand: string
  readonly model: string
  readonly version: string
  /** The maker's signature file. */
  readonly signature: string | undefined
}

export const FIRMWARE_USAGE = `npm run firmware -- <command>

  add --file <file> --brand <brand> --model <model> --version <version> [--signature <file>]
                          offer firmware to all accounts that have cameras or recorders of this model; brand and model are those that
                          the cameras report, and the maker's signature file is kept as it is
  list                    list the firmware that is offered, with its SHA-256
  remove <id>             no longer offer it; upgrades that have begun continue
`

const OPTIONS = {
  file: { type: 'string' },
  brand: { type: 'string' },
  model: { type: 'string' },
  version: { type: 'string' },
  signature: { type: 'string' },
} as const

/** The command, or a sentence about what cannot be understood. */
export function readFirmwareCommand(words: readonly string[]): Result<FirmwareCommand, string> {
  const [kind, ...rest] = words
  if (kind === undefined || kind === 'help' || kind === '--help') return ok({ kind: 'help' })
  if (kind === 'list') return rest.length === 0 ? ok({ kind }) : fail('list takes no options.')
  if (kind === 'remove') {
    const [id = '', ...more] = rest
    return /^[1-9]\d{0,15}$/.test(id) && more.length === 0
      ? ok({ kind, imageId: Number(id) })
      : fail('remove needs the id that list shows.')
  }
  return kind === 'add' ? readFile(rest) : fail(`Unknown command ${kind}.`)
}

function readFile(words: readonly string[]): Result<FirmwareCommand, string> {
  try {
    const { file, brand, model, version, signature } = parseArgs({
      args: [...words],
      options: OPTIONS,
      strict: true,
    }).values
    if (file === undefined || brand === undefined || model === undefined || version === undefined)
      return fail('add needs --file, --brand, --model and --version.')
    const problems = {
      brand: firmwareLabelProblem(brand),
      model: firmwareLabelProblem(model),
      version: firmwareVersionProblem(version),
    }
    const wrong = Object.entries(problems).find(([, problem]) => problem !== undefined)
    if (wrong !== undefined) return fail(`--${wrong[0]}: ${wrong[1]}.`)
    return ok({
      kind: 'add',
      image: { file, brand: brand.trim(), model: model.trim(), version: version.trim(), signature },
    })
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
