/** Certificates of the link between the front and other machines: an authority of the installation signs both ends'. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import { authorityPair, issuedPair, type KeyPair } from '@sightline/platform/certificate'
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'

const AUTHORITY = 'Sightline machines'
/** The name that the front's certificate shows, wherever it listens. No machine can have it. */
export const FRONT_NAME = 'front'
/** An hour back, for clocks that are a little slow. */
const startOf = (now: EpochMs): number => now - MS_PER_HOUR
const AUTHORITY_DAYS = 20 * 365
/** The front makes a new one at each start. */
const FRONT_DAYS = 5 * 365
const MACHINE_DAYS = 397

export interface MachineAuthority {
  readonly key: KeyObject
  /** PEM. */
  readonly certificate: string
}

export const newMachineAuthority = (now: EpochMs): KeyPair =>
  authorityPair({ names: [AUTHORITY], notBefore: startOf(now), notAfter: now + AUTHORITY_DAYS * MS_PER_DAY })

export const issueFrontPair = ({ key }: MachineAuthority, now: EpochMs): KeyPair =>
  issuedPair(
    { names: [FRONT_NAME], use: 'server', notBefore: startOf(now), notAfter: now + FRONT_DAYS * MS_PER_DAY },
    { name: AUTHORITY, key },
  )

export interface IssuedMachine extends KeyPair {
  /** SHA-256 of the certificate (DER): how the front recognizes it. */
  readonly sha256: Buffer
  readonly expiresAt: EpochMs
}

/** A new certificate for a machine, with its key. */
export function issueMachinePair({ key }: MachineAuthority, name: string, now: EpochMs): IssuedMachine {
  const expiresAt = now + MACHINE_DAYS * MS_PER_DAY
  const pair = issuedPair(
    { names: [name], use: 'client', notBefore: startOf(now), notAfter: expiresAt },
    { name: AUTHORITY, key },
  )
  return { ...pair, expiresAt, sha256: parseFingerprint(new X509Certificate(pair.cert).fingerprint256) }
}

/** @param text as Node.js writes it: `AB:CD:…`. */
export const parseFingerprint = (text: string): Buffer => Buffer.from(text.replaceAll(':', ''), 'hex')
