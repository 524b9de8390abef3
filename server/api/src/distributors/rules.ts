import type { ApiError } from '@sightline/contract/errors'
import type { ContactDetails, ContactDetailsPatch } from '@sightline/contract/resellers'
import type { Result } from '@sightline/platform/result'

/** Whom to turn to after a change; what is null or an empty text is not known any more. */
export function applyContactPatch(current: ContactDetails, patch: ContactDetailsPatch | undefined): ContactDetails {
  const given = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)
  const merged = { ...current, ...Object.fromEntries(given) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== ''))
}

/** Keeps what is named; what is undefined stays as it is. */
export function applied<T extends object>(current: T, patch: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(given) }
}

/**
 * What a transaction answers, or the refusal that one of its failures stands for: PostgreSQL gives the whole transaction up
 * where a row is there twice, so that is looked at outside.
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
