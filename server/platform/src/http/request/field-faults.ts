import { textFormat } from '@sightline/contract/openapi'
import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

/** Completes the name of a field: `must be a whole number`. Says what is expected, never a regular expression. */
export function fieldFault(issue: Issue): string {
  // A message that the contract gives is what a person reads; Zod's own says nothing.
  if (issue.message !== NOTHING_SAID) return issue.message
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
      return issue.issues[0] === undefined ? 'is not valid' : fieldFault(issue.issues[0])
    default:
      return 'is not valid'
  }
}

/** The message of Zod without a language. */
const NOTHING_SAID = 'Invalid input'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
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
  email: 'an e-mail address',
  url: 'an address that starts with https://',
  uuid: 'a UUID',
}

function formatOf({ format, pattern }: { format: string; pattern?: string | undefined }): string {
  // Zod writes a pattern between slashes, with its flags.
  const source = pattern?.replace(/^\//, '').replace(/\/[a-z]*$/, '')
  const known = source === undefined ? undefined : textFormat(source)?.sentence
  return known ?? FORMATS[format] ?? 'in the format that the description of the API gives'
}

const characters = (count: unknown): string => (Number(count) === 1 ? '1 character' : `${count} characters`)
const items = (count: unknown): string => (Number(count) === 1 ? '1 item' : `${count} items`)

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  if (origin === 'string') return `must be at most ${characters(maximum)}`
  if (origin === 'array' || origin === 'set') return `must have at most ${items(maximum)}`
  return `must be ${inclusive === false ? 'below' : 'at most'} ${maximum}`
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string')
    return Number(minimum) === 1 ? 'must not be empty' : `must be at least ${characters(minimum)}`
  if (origin === 'array' || origin === 'set') return `must have at least ${items(minimum)}`
  return `must be ${inclusive === false ? 'above' : 'at least'} ${minimum}`
}

/** What the alternatives ask for, where each says it in a few words; of objects only that none fits. */
function unionFault({ errors = [] }: { errors?: readonly (readonly Issue[])[] }): string {
  const faults = errors.map((issues) => (issues.length === 1 && issues[0]?.path.length === 0 ? issues[0] : undefined))
  if (faults.length === 0 || faults.includes(undefined)) return 'is none of the shapes that are allowed'
  const sentences = new Set(faults.map((issue) => fieldFault(issue as Issue)))
  return [...sentences].map((text, i) => (i === 0 ? text : text.replace(/^must (be )?/, ''))).join(' or ')
}
