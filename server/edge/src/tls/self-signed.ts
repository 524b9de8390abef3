import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type KeyPair, selfSignedPair } from '@sightline/platform/certificate'
import { type Clock, MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'

/** Browsers refuse server certificates that are good for longer. */
const VALID_DAYS = 397
/** Renewed at the next start this long before it expires. */
const RENEW_DAYS = 30

/**
 * A certificate for a local network, stored in `folder` (files 0600) so that people accept it once. Renewed when it
 * nears its expiry or its names changed.
 */
export async function selfSigned(folder: string, names: readonly string[], clock: Clock): Promise<KeyPair> {
  const certFile = join(folder, 'edge-certificate.pem')
  const keyFile = join(folder, 'edge-key.pem')
  const kept = await readPair(certFile, keyFile)
  if (kept !== undefined && isGood(kept.cert, names, clock.now())) return kept
  const made = selfSignedPair({
    names,
    // An hour back, for clocks that are a little slow.
    notBefore: clock.now() - MS_PER_HOUR,
    notAfter: clock.now() + VALID_DAYS * MS_PER_DAY,
  })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeWhole(keyFile, made.key)
  await writeWhole(certFile, made.cert)
  return made
}

async function readPair(certFile: string, keyFile: string): Promise<KeyPair | undefined> {
  try {
    return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  } catch {
    return undefined
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

function isGood(pem: string, names: readonly string[], now: number): boolean {
  try {
    const certificate = new X509Certificate(pem)
    const isTimely =
      certificate.validToDate.getTime() - now > RENEW_DAYS * MS_PER_DAY && certificate.validFromDate.getTime() <= now
    const covers = (name: string) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name))
    return isTimely && names.every((name) => covers(name) !== undefined)
  } catch {
    return false
  }
}
