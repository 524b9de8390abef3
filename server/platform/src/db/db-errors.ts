import { DatabaseError } from 'pg'

/** SQLSTATE 23505: a row with the same key is there already. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasState(error, '23505') && (constraint === undefined || error.constraint === constraint)
}

/** SQLSTATE 23503: what the row refers to is missing, or the row is still referred to. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasState(error, '23503') && (constraint === undefined || error.constraint === constraint)
}

/**
 * The transaction lost against another one and would work when repeated: serialization failure (40001), deadlock
 * (40P01), or a table that changed under a prepared statement (0A000).
 */
export function isTransient(error: unknown): boolean {
  if (hasState(error, '40001') || hasState(error, '40P01')) return true
  return hasState(error, '0A000') && error.message.startsWith('cached plan must not change')
}

export function hasState(error: unknown, state: string): error is DatabaseError {
  return error instanceof DatabaseError && error.code === state
}
