import * as z from 'zod/mini'

/** The body of all errors except those of an invalid token, which is {@link oauthErrorBody} (api.md §2.5). */
export const errorBody = z.object({
  code: z.int(),
  title: z.string(),
  detail: z.optional(z.string()),
  fields: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  requestId: z.optional(z.string()),
})
export type ErrorBody = z.infer<typeof errorBody>

/**
 * RFC 6749 §5.2 and RFC 6750 §3: the response for a missing, invalid or unknown token. It ends the client's session.
 */
export const oauthErrorBody = z.object({ error: z.string(), error_description: z.optional(z.string()) })
export type OauthErrorBody = z.infer<typeof oauthErrorBody>
