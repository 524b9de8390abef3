// The messages between server and `navigator.credentials`, as JSON (WebAuthn Level 3, §5.1.8 to §5.1.10); bytes are
// base64url.
import * as z from 'zod/mini'

/** Bytes, limited by the number of letters. */
const bytes = (most: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(most))

/** 1023 bytes at most (§5.8.2). */
const credentialId = bytes(1364)
const clientDataJSON = bytes(2048)

const descriptor = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})

/** The options for `navigator.credentials.create`. */
export const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: bytes(86), name: z.string(), displayName: z.string() }),
  challenge: bytes(86),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  /** Milliseconds. */
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof creationOptions>

/** The options for `navigator.credentials.get`. Without `allowCredentials`, the person chooses. */
export const requestOptions = z.object({
  challenge: bytes(86),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  allowCredentials: z.optional(z.array(descriptor)),
})
export type RequestOptions = z.infer<typeof requestOptions>

/** The result of `create`. */
export const passkeyRegistration = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON,
    attestationObject: bytes(16_384),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(8))),
  }),
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>

/** The result of `get`. */
export const passkeyAnswer = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(1024),
    signature: bytes(4096),
    userHandle: z.optional(z.nullable(bytes(86))),
  }),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>
