import type { KeyPair } from '@sightline/platform/certificate'
import type { Logger } from '@sightline/platform/log'
import type { Result } from '@sightline/platform/result'

/** Certificates are renewed days before they expire, so a minute is soon enough. */
const LOOK_EVERY_MS = 60_000

export interface CertificateFiles {
  /** The pair as it is now, or a sentence on why it can't be used. */
  readonly read: () => Promise<Result<KeyPair | undefined, string>>
  readonly onRenewed: (keyPair: KeyPair) => void
  readonly log: Logger
  readonly everyMs?: number
}

/**
 * Reads the certificate every minute and reports each new one. A certificate that can't be used, or whose key isn't written yet, is
 * ignored: the previous one stays in use.
 */
export async function watchCertificate({
  read,
  onRenewed,
  log,
  everyMs = LOOK_EVERY_MS,
}: CertificateFiles): Promise<Disposable> {
  const first = await read()
  let known = first.ok ? first.value : undefined
  // It may have been renewed since the ports were opened.
  if (known !== undefined) onRenewed(known)
  let complaint: string | undefined
  const look = async () => {
    const found = await read()
    if (!found.ok && found.failure !== complaint)
      log.warn({ reason: found.failure }, 'the renewed certificate can’t be used')
    complaint = found.ok ? undefined : found.failure
    if (!found.ok || found.value === undefined || isSame(found.value, known)) return
    known = found.value
    onRenewed(found.value)
    log.info('new connections get the renewed certificate')
  }
  const looking = setInterval(() => void look(), everyMs)
  looking.unref()
  return { [Symbol.dispose]: () => clearInterval(looking) }
}

const isSame = (one: KeyPair, other: KeyPair | undefined): boolean => one.cert === other?.cert && one.key === other?.key
