import pino from 'pino'
import { isOrdinaryRequest } from './ordinary-request.ts'
import { readable } from './readable.ts'
import { redact } from './redact.ts'

export { pathForLog } from './path-for-log.ts'

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
