/** Signed lines, public keys and hashes, by WebCrypto: the same in a browser and on a server. */

type Bytes = Uint8Array<ArrayBuffer>

const SIGNED_LINE = /^(\{.*),"signature":"([A-Za-z0-9+/]{86}==)"\}$/s

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export function fromHex(text: string): Bytes {
  const bytes = new Uint8Array(text.length / 2)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16)
  return bytes
}

function joinBytes(chunks: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

export const toBytes = (text: string): Bytes => new TextEncoder().encode(text)

export async function sha256(...chunks: readonly Uint8Array[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joinBytes(chunks)))
}

/** Undefined if it isn't Base64. */
function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** SHA-256 of a public key (SPKI, DER, Base64); undefined if it can't be read. */
export async function getKeyFingerprint(publicKey: string): Promise<string | undefined> {
  const der = fromBase64(publicKey)
  return der === undefined ? undefined : toHex(await sha256(der))
}

/** Names a key: the first 16 digits of its fingerprint. */
export const toKeyId = (fingerprint: string): string => fingerprint.slice(0, 16)

/** The JSON of a signed line without its signature, as text; undefined if it isn't one. */
export function readSigned(line: string): { readonly signed: string; readonly content: unknown } | undefined {
  const [, signed] = SIGNED_LINE.exec(line) ?? []
  if (signed === undefined) return undefined
  try {
    return { signed, content: JSON.parse(`${signed}}`) }
  } catch {
    return undefined
  }
}

/** Whether a key made the signature of a line. @throws if this browser can't check Ed25519. */
export async function hasSignature(line: string, publicKey: string): Promise<boolean> {
  const [, signed = '', signature = ''] = SIGNED_LINE.exec(line) ?? []
  const [der, bytes] = [fromBase64(publicKey), fromBase64(signature)]
  if (der === undefined || bytes === undefined) return false
  const key = await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify'])
  return await crypto.subtle.verify({ name: 'Ed25519' }, key, bytes, toBytes(signed))
}
