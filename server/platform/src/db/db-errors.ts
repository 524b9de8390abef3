import { DatabaseError } from 'pg'

/** SQLSTATE 23505: a row with the same key already exists. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasState(error, '23505') && (constraint === undefined || error.constraint === constraint)
}

/** SQLSTATE 23503: the referenced row is missing, or the row is still referenced. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasState(error, '23503') && (constraint === undefined || error.constraint === constraint)
}

/** SQLSTATE 23514: a check or a limit in a trigger forbids the row. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return hasState(error, '23514') && error.constraint === constraint
}

/** SQLSTATE 57014: the statement took longer than its transaction allows. */
export const isStatementTimeout = (error: unknown): boolean => hasState(error, '57014')

/**
 * The transaction lost against another one and would work when repeated: serialization failure (40001), deadlock
 * (40P01), or a table that changed under a prepared statement (0A000).
 */
export function isTransient(error: unknown): boolean {
  if (hasState(error, '40001') || hasState(error, '40P01')) return true
  return hasState(error, '0A000') && error.message.startsWith('cached plan must not change')
}

/** Errors of the system if no server is at the socket or port, or if it disconnected in the middle of a message. */
const AWAY_CALLS = new Set(['connect', 'read', 'write'])
/** Driver errors without a code. */
const AWAY_WORDS = /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/
/** SQLSTATE 08…: connection exceptions; 57P01 to 57P05: the server is stopping, crashed, starting. */
const AWAY_STATES = /^(08...|57P0[1-5])$/

/**
 * The server is down, stopping or starting: the same query may work in a moment. It is unknown whether a change in
 * progress was made.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return AWAY_STATES.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  if ('syscall' in error) return AWAY_CALLS.has(String(error.syscall))
  return AWAY_WORDS.test(error.message)
}

/** SQLSTATE 22…: an invalid value for the type; RangeError: an invalid time. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof DatabaseError && error.code?.startsWith('22') === true)

export function hasState(error: unknown, state: string): error is DatabaseError {
  return error instanceof DatabaseError && error.code === state
}
