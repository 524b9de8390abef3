import type { ApiError } from '@sightline/contract/errors'

/** A query parameter that this call doesn't understand. */
export const invalidParameter = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `query: ${field}: ${message}`,
  fields: [{ field, message }],
})
