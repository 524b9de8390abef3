import type { CameraFault } from '../camera-fault.ts'
import { parseRtspAddress, type RtspAddress } from './rtsp-address.ts'
import type { CameraCredentials } from './rtsp-authentication.ts'

export const MAX_REDIRECTS = 2

export interface RtspDestination {
  readonly address: RtspAddress
  readonly credentials?: CameraCredentials | undefined
}

/**
 * Where a camera sends its client; undefined if nowhere. Another host gets no password, because it isn't the one that
 * the owner named; nor does one without the TLS that was asked for.
 */
export function findRedirect(
  { address, credentials }: RtspDestination,
  { ended, location }: { readonly ended: CameraFault; readonly location?: string | undefined },
): RtspDestination | undefined {
  if (ended.kind !== 'redirected' || location === undefined) return undefined
  const next = parseRtspAddress(location)
  if (!next.ok) return undefined
  const isSame = next.value.host === address.host && (address.isSecure !== true || next.value.isSecure === true)
  return { address: next.value, credentials: isSame ? credentials : undefined }
}
