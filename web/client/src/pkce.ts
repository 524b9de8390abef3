const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** 256 random bits as 43 characters of base64url: a `state`, or a code verifier (RFC 7636 §4.1). */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** The S256 challenge of a verifier (RFC 7636 §4.2). Browsers offer the digest to secure origins only. */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
