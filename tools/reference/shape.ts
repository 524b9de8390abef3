/** The subset of JSON Schema that contract shapes use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
}

/** Larger limits are just those of exact integers, which say nothing about the field. */
const BOUNDLESS = Number.MAX_SAFE_INTEGER

function range(from: number | undefined, to: number | undefined): string {
  const low = from === undefined || from <= -BOUNDLESS ? undefined : from
  const high = to === undefined || to >= BOUNDLESS ? undefined : to
  if (low === undefined && high === undefined) return ''
  if (high === undefined) return ` ≥${low}`
  if (low === undefined) return ` ≤${high}`
  return low === high ? ` ${low}` : ` ${low}–${high}`
}

function textShape({ pattern, format, minLength, maxLength, contentEncoding }: JsonSchema): string {
  const kind = contentEncoding ?? format ?? (pattern === undefined ? 'string' : `string like ${pattern}`)
  return `${kind}${range(minLength, maxLength)}`
}

function numberShape({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const isInteger = type === 'integer'
  const low = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + (isInteger ? 1 : 0)
  const high = exclusiveMaximum === undefined ? maximum : exclusiveMaximum - (isInteger ? 1 : 0)
  return `${isInteger ? 'int' : 'number'}${range(low, high)}`
}

function objectShape(schema: JsonSchema): string {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema
  const named = Object.entries(properties).map(
    ([name, of]) => `${name}${required.includes(name) ? '' : '?'}: ${describeShape(of)}`,
  )
  const isOpen = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
  const key = propertyNames === undefined ? 'string' : describeShape(propertyNames)
  const others = isOpen ? [`[${key}]: ${describeShape(additionalProperties)}`] : []
  return named.length + others.length === 0 ? '{}' : `{ ${[...named, ...others].join(', ')} }`
}

function arrayShape({ items, prefixItems, minItems, maxItems }: JsonSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(describeShape).join(', ')}]`
  const each = items === undefined ? 'anything' : describeShape(items)
  const counted = range(minItems, maxItems)
  return `${each.includes(' | ') ? `(${each})` : each}[]${counted === '' ? '' : ` of${counted}`}`
}

const byType: Readonly<Record<string, (schema: JsonSchema) => string>> = {
  string: textShape,
  integer: numberShape,
  number: numberShape,
  object: objectShape,
  array: arrayShape,
  boolean: () => 'boolean',
  null: () => 'null',
}

/** A schema as one line of pseudo-TypeScript, for people who compare two versions of the API. */
export function describeShape(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return either.map(describeShape).join(' | ')
  if (schema.type === undefined && schema.allOf !== undefined) return schema.allOf.map(describeShape).join(' & ')
  if (typeof schema.type !== 'string') return schema.type?.join(' | ') ?? 'anything'
  const own = byType[schema.type]?.(schema) ?? schema.type
  return schema.allOf === undefined ? own : `${own} & ${schema.allOf.map(describeShape).join(' & ')}`
}
