import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { createSecureContext } from 'node:tls'
import type { KeyPair } from '@sightline/platform/certificate'
import type { Clock } from '@sightline/platform/clock'
import { fail, ok, type Result } from '@sightline/platform/result'
import { selfSigned } from './self-signed.ts'

/** The protection of the connection to the browser. */
export type TlsSetting =
  /** Plain HTTP. Browsers give the apps the required features only on loopback addresses. */
  | { readonly kind: 'off' }
  /** A proxy handles TLS. */
  | { readonly kind: 'behind-proxy' }
  | { readonly kind: 'certificate'; readonly certFile: string; readonly keyFile: string }
  /** For a local network: generated here and stored in `folder`, for `names` and all addresses of this machine. */
  | { readonly kind: 'self-signed'; readonly folder: string; readonly names: readonly string[] }

/** The scheme of addresses. */
export const getScheme = (tls: TlsSetting): 'http' | 'https' => (tls.kind === 'off' ? 'http' : 'https')

/** Whether browsers trust the certificate, so that HSTS can be set. */
export const isTrusted = (tls: TlsSetting): boolean => tls.kind === 'certificate' || tls.kind === 'behind-proxy'

const localAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) =>
    // Link-local IPv6 addresses need a zone, which certificates don't support.
    (all ?? []).filter((one) => !one.address.startsWith('fe80:')).map((one) => one.address),
  )

/** Certificate and key to listen with, undefined for plain HTTP; a sentence for the operator if they can't be used. */
export async function loadKeyPair(tls: TlsSetting, clock: Clock): Promise<Result<KeyPair | undefined, string>> {
  switch (tls.kind) {
    case 'off':
    case 'behind-proxy':
      return ok(undefined)
    case 'self-signed': {
      const names = [...new Set([...tls.names, 'localhost', ...localAddresses()])]
      return ok(await selfSigned(tls.folder, names, clock))
    }
    case 'certificate':
      return readCertificate(tls.certFile, tls.keyFile)
  }
}

async function readCertificate(certFile: string, keyFile: string): Promise<Result<KeyPair, string>> {
  try {
    const pair = { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
    createSecureContext(pair)
    return ok(pair)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return fail(`Could not use the TLS certificate ${certFile} with key ${keyFile}: ${reason}`)
  }
}
