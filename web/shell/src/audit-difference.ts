/** One changed value; undefined if there was or is none. */
export interface Difference {
  /** Nested values are separated with dots: `address.city`. */
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function flat(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) return value === undefined || value === null ? [] : [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === '' ? key : `${path}.${key}`
    return isObject(inner) ? flat(inner, name) : [[name, inner] as const]
  })
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The differences between before and after, value by value, in their original order. If only one of them exists, for
 * example after something was added, all of its values.
 */
export function differences(before: unknown, after: unknown): readonly Difference[] {
  const old = new Map(flat(before, ''))
  const now = new Map(flat(after, ''))
  const fields = [...new Set([...old.keys(), ...now.keys()])]
  return fields
    .filter((field) => !(old.has(field) && now.has(field) && same(old.get(field), now.get(field))))
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
}

/** `timeZone` in words: `Time zone`. */
export function fieldWords(field: string): string {
  const words = field
    .replaceAll('.', ' › ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** From one time to another (ISO 8601). */
const isSpan = (parts: readonly string[]): boolean => parts.length === 2 && parts.every((part) => DATE_TIME.test(part))

export interface ValueWords {
  readonly yes: string
  readonly no: string
  readonly nothing: string
  readonly when: (time: Date) => string
}

/** A value in readable form. */
export function valueWords(value: unknown, words: ValueWords): string {
  if (value === undefined || value === null || value === '') return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'string') return textWords(value, words)
  if (Array.isArray(value)) {
    return value.length === 0 ? words.nothing : value.map((one) => valueWords(one, words)).join(', ')
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

function textWords(value: string, { when }: ValueWords): string {
  if (DATE_TIME.test(value)) return when(new Date(value))
  const parts = value.split('/')
  return isSpan(parts) ? parts.map((part) => when(new Date(part))).join(' – ') : value
}
