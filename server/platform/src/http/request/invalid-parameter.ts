import type { ApiError } from '@sightline/contract/errors'

/** A parameter of the address that says nothing this call understands. */
export const invalidParameter = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `query: ${field}: ${message}`,
  fields: [{ field, message }],
})
