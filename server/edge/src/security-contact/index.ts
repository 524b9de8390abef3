import type { Clock } from '@sightline/platform/clock'
import { MS_PER_DAY } from '@sightline/platform/clock'

export const SECURITY_CONTACT_PATH = '/.well-known/security.txt'

/** Less than the year that RFC 9116 §2.5.5 recommends; the file is generated every day. */
const VALID_DAYS = 180

/** Where to report a vulnerability (RFC 9116), on that host. */
export function securityText(contact: string, origin: string, clock: Clock): string {
  const today = Math.floor(clock.now() / MS_PER_DAY) * MS_PER_DAY
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + VALID_DAYS * MS_PER_DAY).toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}${SECURITY_CONTACT_PATH}`,
    '',
  ].join('\n')
}
