import { createHmac } from 'node:crypto'

/** The pseudorandom function of TLS 1.2 with SHA-256 (RFC 5246 §5). */
export function prf(secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer {
  const labelled = Buffer.concat([Buffer.from(label, 'ascii'), seed])
  const pieces: Buffer[] = []
  let link: Buffer = labelled
  for (let have = 0; have < length; have += 32) {
    link = createHmac('sha256', secret).update(link).digest()
    pieces.push(createHmac('sha256', secret).update(link).update(labelled).digest())
  }
  return Buffer.concat(pieces).subarray(0, length)
}
