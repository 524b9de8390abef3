import { textFormat } from '@sightline/contract/openapi'
import type * as z from 'zod/mini'

type Issue = z.core.$ZodRawIssue

/**
 * Request parsing that describes field errors in words, never as a regular expression. Zod's own messages depend on
 * what else the process has loaded; a message that the contract sets on a field stays.
 */
export const IN_WORDS = { error: (issue: Issue): string => fieldFault(issue) }

/** Completes the name of a field: `must be an integer`. */
function fieldFault(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${eitherOf(issue.values)}`
    case 'invalid_format':
      return `must be ${formatOf(issue)}`
    case 'too_big':
      return tooBig(issue)
    case 'too_small':
      return tooSmall(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return unionFault(issue)
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'is not valid'
    default:
      return 'is not valid'
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'left out',
}

const isMissing = ({ input, expected }: { input?: unknown; expected: string }): boolean =>
  input === undefined && expected !== 'undefined'

const eitherOf = (values: readonly unknown[]): string => {
  const texts = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)))
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL that starts with https://',
  uuid: 'a UUID',
}

function formatOf({ format, pattern }: { format: string; pattern?: string | undefined }): string {
  // Zod writes a pattern between slashes, with its flags.
  const source = pattern?.replace(/^\//, '').replace(/\/[a-z]*$/, '')
  const known = source === undefined ? undefined : textFormat(source)?.sentence
  return known ?? FORMATS[format] ?? 'in the format described in the API reference'
}

type Bound<Of extends { origin: string; inclusive?: boolean }> = Omit<Of, 'path' | 'message'>

const characters = (count: unknown): string => (Number(count) === 1 ? '1 character' : `${count} characters`)
const items = (count: unknown): string => (Number(count) === 1 ? '1 item' : `${count} items`)

function tooBig({ origin, maximum, inclusive }: Bound<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `must be at most ${characters(maximum)}`
  if (origin === 'array' || origin === 'set') return `must have at most ${items(maximum)}`
  return `must be ${inclusive === false ? 'below' : 'at most'} ${maximum}`
}

function tooSmall({ origin, minimum, inclusive }: Bound<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string')
    return Number(minimum) === 1 ? 'must not be empty' : `must be at least ${characters(minimum)}`
  if (origin === 'array' || origin === 'set') return `must have at least ${items(minimum)}`
  return `must be ${inclusive === false ? 'above' : 'at least'} ${minimum}`
}

interface Finished {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/** Describes the alternatives if each has a short description; for objects, only that none matches. */
function unionFault({ errors = [] }: { errors?: readonly (readonly Finished[])[] }): string {
  const faults = errors.map((issues) => (issues.length === 1 && issues[0]?.path.length === 0 ? issues[0].message : ''))
  if (faults.length === 0 || faults.includes('')) return 'does not match any allowed shape'
  return [...new Set(faults)].map((text, i) => (i === 0 ? text : text.replace(/^must (be )?/, ''))).join(' or ')
}
