import type { ApiError } from '@sightline/contract/errors'
import { fail, ok, type Result } from '../../result/index.ts'

/** Names below names; `all` is everything below that name. */
type Fields = Map<string, Fields | 'all'>

/** Which fields of a reply are wanted (api.md §2.3). */
export interface FieldChoice {
  readonly kind: 'include' | 'exclude'
  readonly fields: Fields
  /** The same for the same choice; part of the ETag. */
  readonly text: string
}

const LONGEST_TEXT = 2000

/** A parameter of the address; a repeated one counts as one list. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? ''))

/** The selection from `includeFields` or `excludeFields`; undefined without either. */
export function readFieldChoice(query: Readonly<Record<string, unknown>>): Result<FieldChoice | undefined, ApiError> {
  const include = textOf(query.includeFields)
  const exclude = textOf(query.excludeFields)
  if (include === '' && exclude === '') return ok(undefined)
  if (include !== '' && exclude !== '') return refused('excludeFields', "can't be combined with includeFields")
  const kind = include === '' ? 'exclude' : 'include'
  const text = include + exclude
  if (text.length > LONGEST_TEXT) return refused(`${kind}Fields`, `must be at most ${LONGEST_TEXT} characters`)
  return ok({ kind, fields: fieldsOf(text), text: `${kind} ${text}` })
}

function refused(field: string, message: string): Result<never, ApiError> {
  return fail({ error: 'validation', detail: `query: ${field}: ${message}`, fields: [{ field, message }] })
}

function fieldsOf(text: string): Fields {
  const top: Fields = new Map()
  for (const path of text.split(',')) add(top, path.trim().split('.'))
  return top
}

function add(fields: Fields, path: readonly string[]): void {
  const [name = '', ...rest] = path
  const known = fields.get(name)
  if (name === '' || known === 'all') return
  if (rest.length === 0) {
    fields.set(name, 'all')
    return
  }
  const below = known ?? new Map()
  fields.set(name, below)
  add(below, rest)
}

/** The JSON text with only the selected fields. For lists they apply to the items; unknown names change nothing. */
export const chooseFields = (json: string, { kind, fields }: FieldChoice): string =>
  JSON.stringify(kind === 'include' ? included(JSON.parse(json), fields) : excluded(JSON.parse(json), fields))

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

function included(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => included(item, fields))
  if (!isContainer(value)) return value
  const kept = Object.entries(value).flatMap(([name, field]: [string, unknown]): [string, unknown][] => {
    const below = fields.get(name)
    if (below === 'all') return [[name, field]]
    return below !== undefined && isContainer(field) ? [[name, included(field, below)]] : []
  })
  return Object.fromEntries(kept)
}

function excluded(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => excluded(item, fields))
  if (!isContainer(value)) return value
  const kept = Object.entries(value).flatMap(([name, field]: [string, unknown]): [string, unknown][] => {
    const below = fields.get(name)
    if (below === 'all') return []
    return [[name, below === undefined ? field : excluded(field, below)]]
  })
  return Object.fromEntries(kept)
}
