/** The parts of an OpenAPI 3.1 document that this page uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
}

export interface ResponseSchema {
  readonly $ref?: string
  readonly description: string
  readonly content?: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, ResponseSchema>>
  /** Empty if no token is required. */
  readonly security?: readonly unknown[]
}

export interface Description {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, ResponseSchema>>
  }
}

/** One call with its address. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference

/** The schema that a reference points to, with its name; any other schema unchanged. */
export function resolveSchema(schema: Schema, { components }: Description): { name?: string; schema: Schema } {
  if (schema.$ref === undefined) return { schema }
  const name = nameOf(schema.$ref)
  return { name, schema: components.schemas[name] ?? {} }
}

export const resolveParameter = (parameter: Parameter, { components }: Description): Parameter =>
  parameter.$ref === undefined ? parameter : (components.parameters[nameOf(parameter.$ref)] ?? parameter)

export const resolveReply = (reply: ResponseSchema, { components }: Description): ResponseSchema =>
  reply.$ref === undefined ? reply : (components.responses[nameOf(reply.$ref)] ?? reply)

/** Calls by tag whose name, path or summary contains every word of `search`. Empty tags are omitted. */
export function callsByTag(
  { paths, tags }: Description,
  search: string,
): { tag: Description['tags'][number]; calls: ApiCall[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): ApiCall => ({ method: method.toUpperCase(), path, operation })),
  )
  const found = all.filter(({ method, path, operation }) => {
    const text = `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return tags
    .map((tag) => ({ tag, calls: found.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ calls }) => calls.length > 0)
}

/** A field in one line: `string (date-time), 1 to 64 characters`. */
export function typeText(schema: Schema, description: Description): string {
  const { name, schema: of } = resolveSchema(schema, description)
  if (name !== undefined && of.enum === undefined) return name
  if (of.const !== undefined) return JSON.stringify(of.const)
  if (of.enum !== undefined) return of.enum.map((value) => JSON.stringify(value)).join(' | ')
  const either = of.anyOf ?? of.oneOf
  if (either !== undefined) return either.map((one) => typeText(one, description)).join(' | ')
  if (of.items !== undefined)
    return `array of ${typeText(of.items, description)}${range(of.minItems, of.maxItems, 'items')}`
  const type = (typeof of.type === 'string' ? [of.type] : (of.type ?? ['any'])).join(' | ')
  const format = of.format === undefined ? '' : ` (${of.format})`
  return `${type}${format}${range(of.minLength, of.maxLength, 'characters')}${range(of.minimum, of.maximum, '')}`
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const high = to === undefined || to >= Number.MAX_SAFE_INTEGER ? undefined : to
  const words = unit === '' ? '' : ` ${unit}`
  if (from === undefined) return high === undefined ? '' : `, at most ${high}${words}`
  return `, ${high === undefined ? `at least ${from}` : `${from} to ${high}`}${words}`
}

/** The call as a command, with the examples of its parameters and body. */
export function curlCommand({ method, path, operation }: ApiCall, description: Description, origin: string): string {
  const parameters = operation.parameters.map((parameter) => resolveParameter(parameter, description))
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const address = `${origin}${description.servers[0]?.url ?? ''}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const body = operation.requestBody?.content['application/json']?.example
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${address}'`,
    ...(operation.security?.length === 0 ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ')
}
