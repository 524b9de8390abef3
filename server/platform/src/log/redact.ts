import { withSourcePositions } from './source-positions.ts'

const HIDDEN = '[hidden]'
const DEEPEST = 8

const SECRET_KEYS = new Set([
  'authorization',
  'proxyauthorization',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'token',
  'ticket',
  'password',
  'xpassword',
  'newpassword',
  'currentpassword',
  'passwordhash',
  'cookie',
  'setcookie',
  'secret',
  'clientsecret',
  'codeverifier',
  'mfacode',
  'recoverycodes',
  'qrcode',
  'apikey',
])

/** `?access_token=…`, also inside a longer text. */
const SECRET_PARAMETER =
  /([?&#;\s"'](?:access_token|refresh_token|id_token|token|ticket|code|mfa_code|code_verifier|client_secret|password)=)[^&\s"'#]+/gi
/** `rtsp://user:password@host` */
const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@/]+@/gi
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/g

/**
 * The value as it may be written to a log: values under a key that names a secret are hidden, and so are tokens and
 * passwords inside texts. Errors become plain objects with message, stack, code and cause.
 */
export function redact(value: unknown, key = '', depth = 0): unknown {
  if (isSecret(key, value)) return HIDDEN
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '[deeper]'
  if (value instanceof Date || Buffer.isBuffer(value)) return value instanceof Date ? value : `[${value.length} bytes]`
  if (Array.isArray(value)) return value.map((item) => redact(item, '', depth + 1))
  const fields = value instanceof Error ? fieldsOfError(value) : value
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, redact(field, name, depth + 1)]))
}

/** The necessary part of each pattern is searched first, because almost every text contains none. */
function redactText(text: string): string {
  let shown = text
  if (shown.includes('=')) shown = shown.replace(SECRET_PARAMETER, `$1${HIDDEN}`)
  if (shown.includes('://')) shown = shown.replace(USER_INFO, `$1:${HIDDEN}@`)
  if (shown.includes('Bearer') || shown.includes('Basic')) shown = shown.replace(BEARER, `$1 ${HIDDEN}`)
  return shown
}

/** Names of fields are few and come with every line. */
const plainNames = new Map<string, string>()
const MAX_NAMES = 1000

function plainName(key: string): string {
  const known = plainNames.get(key)
  if (known !== undefined) return known
  const plain = key.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (plainNames.size < MAX_NAMES) plainNames.set(key, plain)
  return plain
}

function isSecret(key: string, value: unknown): boolean {
  const plain = plainName(key)
  if (plain === 'code') return typeof value === 'string' && !isErrorCode(value)
  return SECRET_KEYS.has(plain) && value !== undefined && value !== null && typeof value !== 'boolean'
}

/** ECONNREFUSED, ERR_STREAM_DESTROYED, or an SQLSTATE: five digits and capitals. A one-time code has six digits or lower-case letters. */
const isErrorCode = (code: string): boolean => /^(?:E[A-Z0-9_]{2,}|[0-9A-Z]{5})$/.test(code)

function fieldsOfError(error: Error): Record<string, unknown> {
  // `detail` and `where` of a database error quote the row, so an error is described by these fields only.
  const { name, message, cause } = error
  const stack = error.stack === undefined ? undefined : withSourcePositions(error.stack)
  const code = 'code' in error ? error.code : undefined
  const constraint = 'constraint' in error ? error.constraint : undefined
  return Object.fromEntries(
    Object.entries({ name, message, code, constraint, stack, cause }).filter(([, value]) => value !== undefined),
  )
}
