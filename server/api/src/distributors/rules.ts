import type { ApiError } from '@sightline/contract/errors'
import type { ContactDetails, ContactDetailsPatch } from '@sightline/contract/resellers'
import type { Result } from '@sightline/platform/result'

/** The contact person after a change; null and an empty text clear a value. */
export function applyContactPatch(current: ContactDetails, patch: ContactDetailsPatch | undefined): ContactDetails {
  const given = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)
  const merged = { ...current, ...Object.fromEntries(given) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== ''))
}

/** Applies given values; undefined leaves a value unchanged. */
export function applied<T extends object>(current: T, patch: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(given) }
}

/**
 * The result of a transaction, or the error for one of its failures. PostgreSQL aborts the whole transaction on a
 * duplicate row, so this is handled outside.
 */
export async function mapFailures<T>(
  work: () => Promise<Result<T, ApiError>>,
  refusalOf: (error: unknown) => ApiError | undefined,
): Promise<Result<T, ApiError>> {
  try {
    return await work()
  } catch (error) {
    const failure = refusalOf(error)
    if (failure === undefined) throw error
    return { ok: false, failure }
  }
}
