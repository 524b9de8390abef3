import * as z from 'zod/mini'
import type { Route } from '../wire/index.ts'
import { textFormat } from './text-formats.ts'

export type SchemaJson = Record<string, unknown>
type Schema = z.ZodMiniType
type Direction = 'input' | 'output'

/** Schemas of the API by the names that clients use. */
export type NamedSchemas = ReadonlyMap<string, Schema>

/** Converts schemas to JSON Schema. Named ones are written once, under `components`. */
export interface SchemaWriter {
  /** The schema of a field, a body or a response; named parts are references. */
  write(schema: Schema, direction: Direction): SchemaJson
  /** All named schemas that were written, by name. */
  components(): Record<string, SchemaJson>
}

const REFERENCE = '#/components/schemas/'

/**
 * A converter that knows `named`, and names the other bodies and responses of `routes` after their call. A shape that
 * differs between reading and writing has two names: `Zone` and `ZoneInput`.
 */
export function schemaWriter(routes: readonly Route[], named: NamedSchemas): SchemaWriter {
  const registry = registryOf(routes, named)
  const all: Record<Direction, Record<string, SchemaJson>> = { input: {}, output: {} }
  const write = (schema: Schema, direction: Direction): SchemaJson => {
    // Inside an object, because a schema at the root is written in full even if it has a name.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ own: schema }), {
      io: direction,
      unrepresentable: 'any',
      metadata: registry,
      override: ({ jsonSchema }) => tidy(jsonSchema as SchemaJson),
    }) as { $defs?: Record<string, SchemaJson>; properties?: { own?: SchemaJson } }
    for (const [name, definition] of Object.entries($defs)) {
      all[direction][nameOf(name)] = name === nameOf(name) ? withReferences(definition, direction) : ANY_JSON
    }
    return withReferences(properties?.own ?? {}, direction)
  }
  // All at once, so that differences by direction are known before the first reference is written.
  const differing = differingNames(registry)
  function withReferences(value: SchemaJson, direction: Direction): SchemaJson {
    return mapReferences(value, (name) => {
      return direction === 'input' && differing.has(name) ? `${name}Input` : nameOf(name)
    })
  }
  return {
    write,
    components() {
      const inputs = Object.entries(all.input).map(([name, of]) => [differing.has(name) ? `${name}Input` : name, of])
      const entries = [...(inputs as [string, SchemaJson][]), ...Object.entries(all.output)]
      return Object.fromEntries(
        entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, { id: _, ...of }]) => [name, of]),
      )
    },
  }
}

/** Client generators can't write a type that contains itself. */
const ANY_JSON: SchemaJson = { description: 'Any JSON value' }

/** The only recursive shape is arbitrary JSON; Zod numbers it. */
const nameOf = (name: string): string => (name.startsWith('__schema') ? 'JsonValue' : name)

type Registry = z.core.$ZodRegistry<{ id: string }>

function registryOf(routes: readonly Route[], named: NamedSchemas): Registry {
  const registry = z.registry<{ id: string }>()
  const taken = new Set<string>()
  const name = (schema: Schema, id: string): void => {
    if (!isNameable(schema) || registry.has(schema) || taken.has(id)) return
    registry.add(schema, { id })
    taken.add(id)
  }
  // Parameters are written one by one, so their schema needs no name.
  const ofParameters = new Set<Schema>(routes.flatMap(({ params, query }) => [params, query]))
  for (const [id, schema] of named) if (!ofParameters.has(schema)) name(schema, id)
  for (const route of routes) {
    name(route.body, `${pascal(route.name)}Body`)
    name(route.reply, `${pascal(route.name)}Reply`)
    const { element } = route.reply._zod.def as unknown as { element?: Schema }
    if (element !== undefined) name(element, `${pascal(route.name)}Item`)
  }
  return registry
}

/** Objects and enums deserve a type in a generated client; a plain text or number doesn't. */
const isNameable = (schema: Schema): boolean => ['object', 'enum', 'union', 'record'].includes(schema._zod.def.type)

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function differingNames(registry: Registry): ReadonlySet<string> {
  const texts = (io: Direction): Record<string, string> => {
    const { schemas } = z.toJSONSchema(registry, {
      io,
      unrepresentable: 'any',
      uri: (id) => `${REFERENCE}${id}`,
      override: ({ jsonSchema }) => tidy(jsonSchema as SchemaJson),
    }) as { schemas: Record<string, SchemaJson> }
    return Object.fromEntries(Object.entries(schemas).map(([id, { $id: _, ...of }]) => [id, JSON.stringify(of)]))
  }
  const [inputs, outputs] = [texts('input'), texts('output')]
  const differing = new Set(Object.keys(inputs).filter((id) => inputs[id] !== outputs[id]))
  // A shape that refers to one with two names has two names too.
  for (let before = -1; before !== differing.size; ) {
    before = differing.size
    for (const [id, text] of Object.entries(inputs)) {
      if ([...differing].some((name) => text.includes(`"${REFERENCE}${name}"`))) differing.add(id)
    }
  }
  return differing
}

function mapReferences<T>(value: T, rename: (name: string) => string): T {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, rename)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, of]) => [
      key,
      key === '$ref' && typeof of === 'string'
        ? `${REFERENCE}${rename(of.replace(/^#\/\$defs\//, ''))}`
        : mapReferences(of, rename),
    ]),
  ) as T
}

/** Describes a field with OpenAPI's keywords instead of Zod's checks. Changes `schema`. */
function tidy(schema: SchemaJson): void {
  // Responses may get new fields; a client must not reject unknown ones.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.type === 'integer') tidyInteger(schema)
  const format = typeof schema.pattern === 'string' ? textFormat(schema.pattern) : undefined
  if (format === undefined) return
  if (format.isInteger === true) {
    delete schema.pattern
    Object.assign(schema, { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    return
  }
  schema.description = `${format.sentence.charAt(0).toUpperCase()}${format.sentence.slice(1)}`
  if (format.format !== undefined) schema.format = format.format
}

function tidyInteger(schema: SchemaJson): void {
  const low = typeof schema.exclusiveMinimum === 'number' ? schema.exclusiveMinimum + 1 : schema.minimum
  const fits =
    typeof low === 'number' && typeof schema.maximum === 'number' && schema.maximum < 2 ** 31 && low > -(2 ** 31)
  delete schema.exclusiveMinimum
  if (low === Number.MIN_SAFE_INTEGER) delete schema.minimum
  else if (low !== undefined) schema.minimum = low
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  schema.format = fits ? 'int32' : 'int64'
}
