import type { SchemaJson } from './named-schemas.ts'

const UUID = '2f9d5c1e-7a44-4d0b-9c64-0f6f3a1b8e55'

/** Example values by field name, for a shop in Chicago. The first one that fits the type is used. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
  accountId: [20_417],
  action: ['patchZone'],
  address: ['233 S Wacker Dr', '192.0.2.10'],
  allowedAddresses: [['192.0.2.0/24']],
  auditLogId: [990_114],
  browser: ['Firefox 143'],
  bytes: [48_318_382_080],
  cameraId: [30_012],
  cameraIds: [[30_012, 30_013]],
  city: ['Chicago'],
  clientId: ['b7f2c9'],
  clientName: ['Desktop viewer'],
  clientSecret: ['sl_7Kq…'],
  code: ['123456', 3],
  companyName: ['Lakeside Hardware'],
  contactEmail: ['owner@example.com'],
  country: ['US'],
  day: ['2026-11-21'],
  detail: ['name: must be at most 64 characters'],
  deviceTypeId: [1],
  distributorId: [204],
  email: ['alex@example.com'],
  endpoint: ['https://push.example.com/send/8c1f'],
  expires_in: [3600],
  firstName: ['Alex'],
  host: ['cameras.example.com'],
  isOwner: [true],
  isSuperUser: [true],
  language: ['en'],
  lastName: ['Rivera'],
  latitude: [41.8789],
  locale: ['en-US'],
  longitude: [-87.6359],
  message: ['must be at most 64 characters'],
  field: ['name'],
  model: ['Simulated camera'],
  mseWss: ['wss://cameras.example.com/stream/mse/open?camera_id=30012'],
  localRtsp: ['rtsp://192.168.1.20:554/Streaming/Channels/101'],
  hlsHttps: ['https://cameras.example.com/stream/hls/getPlaylist?camera_id=30012'],
  name: ['Front door'],
  network: ['192.168.1.0/24'],
  newPassword: ['correct-Horse-7-battery'],
  operation: ['getCamera'],
  organisation: ['Lakeside Security'],
  password: ['correct-Horse-7-battery'],
  permissionProfileId: [40_101],
  phone: ['+1 312 555 0142'],
  postalCode: ['60606'],
  qrCode: ['<svg xmlns="http://www.w3.org/2000/svg"/>'],
  resolution: ['1920x1080', ['1920x1080', '1280x720']],
  resolutions: [['1920x1080', '1280x720']],
  region: ['Illinois'],
  resellerId: [255],
  requestId: [UUID],
  retention: [720],
  secondaryPhone: ['+1 312 555 0143'],
  summary: ['Get a camera'],
  subscriptionId: [3002],
  subscriptionPackageId: [3002],
  ticket: ['q0b1…'],
  timeZone: ['America/Chicago'],
  title: ['The request is not valid'],
  token_type: ['Bearer'],
  url: ['https://www.example.com'],
  userId: [20_418],
  utcOffset: [-360],
  version: ['2026-01'],
  zoneId: [40_007],
  zoneIds: [[40_007]],
  zoneName: ['Front of store'],
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T09:30:00.000+00:00',
  date: '2026-11-21',
  email: 'alex@example.com',
  uri: 'https://www.example.com',
  'uri-reference': 'https://www.example.com/help',
  uuid: UUID,
}

const byPattern: readonly (readonly [source: string, example: string])[] = [
  ['^([01]\\d|2[0-3]):[0-5]\\d$', '09:30'],
  ['^#[0-9a-fA-F]{6}$', '#1f6feb'],
  ['^[\\w-]{22}$', 'h5Xo2tqk0Qy7mS3vJ9dWbA'],
  ['^[0-9a-fA-F]{64}$', '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
]

type Schemas = Readonly<Record<string, SchemaJson>>

/** Below this depth, optional fields are omitted; otherwise a tree would be infinite. */
const MAX_DEPTH = 6

/** A realistic value for `schema`. Named schemas are looked up in `schemas`. */
export function makeExample(schema: SchemaJson, schemas: Schemas, name = '', depth = 0): unknown {
  const of = resolved(schema, schemas)
  if ('const' in of) return of.const
  const [first] = (of.enum ?? []) as unknown[]
  if (first !== undefined) return first
  const named = byName[name]?.find((value) => fits(value, of))
  if (named !== undefined) return named
  const either = (of.anyOf ?? of.oneOf) as SchemaJson[] | undefined
  const [shown] = either ?? []
  if (shown !== undefined) return makeExample(shown, schemas, name, depth)
  const both = of.allOf as SchemaJson[] | undefined
  if (both !== undefined && of.type === undefined) {
    return Object.assign({}, ...both.map((part) => makeExample(part, schemas, name, depth) as object))
  }
  return byType(of, schemas, { name, depth })
}

const resolved = (schema: SchemaJson, schemas: Schemas): SchemaJson => {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : (schemas[name] ?? {})
}

const typeOf = (schema: SchemaJson): unknown => (Array.isArray(schema.type) ? schema.type[0] : schema.type)

function fits(value: unknown, of: SchemaJson): boolean {
  if ('const' in of) return value === of.const
  if (Array.isArray(of.enum)) return of.enum.includes(value)
  const either = (of.anyOf ?? of.oneOf) as SchemaJson[] | undefined
  if (either !== undefined) return either.some((one) => fits(value, one))
  const type = typeOf(of)
  if (typeof value === 'string') return type === 'string' && fitsText(value, of)
  if (typeof value === 'number') return (type === 'integer' || type === 'number') && fitsRange(value, of)
  if (typeof value === 'boolean') return type === 'boolean'
  return Array.isArray(value) && type === 'array' && value.every((item) => fits(item, (of.items ?? {}) as SchemaJson))
}

/** `value` if the schema allows it, otherwise another valid one. */
export const exampleLike = (value: unknown, schema: SchemaJson, schemas: Schemas): unknown => {
  const of = resolved(schema, schemas)
  const found = [value, Number(value)].find((candidate) => fits(candidate, of))
  return found ?? makeExample(of, schemas)
}

const fitsText = (
  value: string,
  { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaJson,
): boolean =>
  value.length >= Number(minLength) &&
  value.length <= Number(maxLength) &&
  (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
  (typeof format !== 'string' ||
    byFormat[format] === undefined ||
    typeof pattern === 'string' ||
    value === byFormat[format])

const fitsRange = (value: number, { minimum = -Infinity, maximum = Infinity }: SchemaJson): boolean =>
  value >= Number(minimum) && value <= Number(maximum)

function byType(of: SchemaJson, schemas: Schemas, at: { name: string; depth: number }): unknown {
  const type = typeOf(of)
  if (type === 'object') return exampleObject(of, schemas, at.depth)
  if (type === 'array') return exampleList(of, schemas, at)
  if (type === 'integer' || type === 'number') return Number(of.minimum ?? Math.min(1, Number(of.maximum ?? 1)))
  if (type === 'boolean') return true
  if (type === 'null' || type === undefined) return null
  return exampleText(of)
}

function exampleObject(of: SchemaJson, schemas: Schemas, depth: number): SchemaJson {
  const properties = Object.entries((of.properties ?? {}) as Record<string, SchemaJson>)
  const required = (of.required ?? []) as string[]
  const shown = depth < MAX_DEPTH ? properties : properties.filter(([name]) => required.includes(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, makeExample(field, schemas, name, depth + 1)]))
}

function exampleList(of: SchemaJson, schemas: Schemas, { name, depth }: { name: string; depth: number }): unknown[] {
  const prefix = of.prefixItems as SchemaJson[] | undefined
  if (prefix !== undefined) return prefix.map((item) => makeExample(item, schemas, name, depth + 1))
  const item = makeExample((of.items ?? {}) as SchemaJson, schemas, name, depth + 1)
  return Array.from({ length: Math.min(Math.max(1, Number(of.minItems ?? 1)), Number(of.maxItems ?? 1)) }, () => item)
}

function exampleText({ pattern, format, minLength = 0, maxLength = Infinity }: SchemaJson): string {
  const known = typeof format === 'string' ? byFormat[format] : byPattern.find(([source]) => source === pattern)?.[1]
  if (known !== undefined) return known
  const text = 'text'.repeat(Math.ceil(Math.max(1, Number(minLength)) / 4))
  return text.slice(0, Math.min(Math.max(4, Number(minLength)), Number(maxLength)))
}
