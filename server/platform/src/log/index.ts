import pino from 'pino'
import { redact } from './redact.ts'

export { withSourcePositions } from './source-positions.ts'

const LEVEL_MARK: Readonly<Record<string, string>> = { debug: '·', info: ' ', warn: '!', error: '✗' }

/** What ends a line, moves a terminal's cursor or turns its text around. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const escapeControl = (character: string): string => {
  const json = JSON.stringify(character)
  return json.length > 3 ? json.slice(1, -1) : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** On one line, whatever was sent. */
const oneLine = (text: string): string => text.replaceAll(CONTROLS, escapeControl)

/** A JSON line in readable form: `10:02:11   media-1  camera is online  cameraId=7`, with an error's stack below. */
function readable(line: string): string {
  const parsed: unknown = JSON.parse(line)
  if (typeof parsed !== 'object' || parsed === null) return line
  const { level, time, name, msg, err, pid: _pid, hostname: _hostname, ...fields } = parsed as Record<string, unknown>
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const words = [clock, LEVEL_MARK[String(level)] ?? ' ', String(name ?? ''), String(msg ?? ''), ...rest]
  return `${oneLine(words.filter((word) => word !== '').join(' '))}\n${err === undefined ? '' : readableError(err)}`
}

function readableError(err: unknown): string {
  const lines: string[] = []
  for (let next = err; typeof next === 'object' && next !== null; next = 'cause' in next ? next.cause : undefined) {
    const text = 'stack' in next ? next.stack : JSON.stringify(next)
    lines.push(`${lines.length === 0 ? '' : 'because of '}${String(text)}`)
  }
  const inner = lines.flatMap((text) => text.split('\n'))
  return inner.map((text) => `    ${oneLine(text)}\n`).join('')
}

/** Ids, tokens and codes in a path are 16 characters and more of these, with a digit or mixed case among them. */
const SECRET_SEGMENT = /^(?=.*[0-9A-Z])[A-Za-z0-9_-]{16,}$/

/** A path as it may be logged: without its query, and without segments that look like a secret. */
export const pathForLog = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .split('/')
    .map((segment) => (SECRET_SEGMENT.test(segment) ? '…' : segment))
    .join('/')

const SLOW_MS = 2000

/**
 * Whether a line is about a request that needs no attention: it was answered in time, and without a server error (5xx).
 * Client errors (4xx) and clients that left are ordinary.
 */
function isOrdinaryRequest([fields, sentence]: readonly unknown[]): boolean {
  if (sentence !== 'request' || typeof fields !== 'object' || fields === null) return false
  const { status, ms } = fields as { readonly status?: unknown; readonly ms?: unknown }
  const hasFailed = typeof status === 'number' && status >= 500
  const isSlow = typeof ms === 'number' && ms >= SLOW_MS
  return !hasFailed && !isSlow
}

/** What everything logs through. Fields first, then the sentence: `log.info({ cameraId }, 'camera is online')`. */
export type Logger = pino.Logger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LogSettings {
  readonly level: LogLevel
  /** `json` for machines, one object a line; `text` for people. */
  readonly format: 'json' | 'text'
  /** Which process speaks, as in `media-1`. */
  readonly name: string
  /** `notable`: of the requests only those that failed by our fault or were slow. All by default. */
  readonly requests?: 'all' | 'notable'
}

interface Destination {
  write(line: string): void
}

/**
 * A logger that hides passwords, tokens, cookies and codes at every depth, also inside addresses.
 * Writes to standard output unless told otherwise.
 */
export function createLogger(
  settings: LogSettings,
  destination: Destination = pino.destination({ fd: 1, sync: true }),
): Logger {
  const out = settings.format === 'json' ? destination : { write: (line: string) => destination.write(readable(line)) }
  const logger = pino(
    {
      level: settings.level,
      base: { name: settings.name },
      timestamp: pino.stdTimeFunctions.epochTime,
      formatters: {
        level: (label) => ({ level: label }),
        bindings: redactFields,
        log: redactFields,
      },
      hooks: {
        logMethod(words, write) {
          if (settings.requests !== 'notable' || !isOrdinaryRequest(words)) write.apply(this, words)
        },
      },
      // `redact` has turned errors into plain objects already.
      serializers: { err: (value) => value },
    },
    out,
  )
  // pino formats the fields of the first logger only, not those of its children.
  const childOf = logger.child
  logger.child = function child(this: Logger, fields: pino.Bindings, ...options: []) {
    return childOf.call(this, redactFields(fields), ...options)
  } as Logger['child']
  return logger
}

/** For tests and tools that must be silent. */
export const silentLogger: Logger = pino({ level: 'silent' })

function redactFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redact(value, key)]))
}
