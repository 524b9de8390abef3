/**
 * Why a camera's stream isn't available. `detail` is readable text: what was expected, what came; never a password or a
 * token.
 */
export interface CameraFault {
  readonly kind: CameraFaultKind
  readonly detail: string
}

export type CameraFaultKind =
  /** Nothing answers at that address. */
  | 'unreachable'
  /** No camera is allowed at the address: see `camera-address.ts`. */
  | 'addressRefused'
  | 'credentialsIncorrect'
  /** The camera asks for a kind of authentication that isn't known, or that would reveal the password. */
  | 'authenticationUnsupported'
  /** The camera has no stream at that path. */
  | 'streamNotFound'
  /** The camera sends its viewers to another address. */
  | 'redirected'
  /** The camera sends its video in no way that is known. */
  | 'transportUnsupported'
  /** The camera serves as many viewers as it can. */
  | 'busy'
  /** Connected, but a reply did not come in time. */
  | 'timeout'
  /** Playing, but without a picture for too long. */
  | 'silent'
  /** Playing, and data comes, but for too long it made no whole picture. */
  | 'damaged'
  /** A reply that breaks the protocol or says no. */
  | 'badReply'
  /** The byte stream lost its framing. */
  | 'desync'
  | 'closed'
  /** The camera shows another certificate than when it was added. */
  | 'certificateChanged'
  | 'noVideo'
  | 'unsupportedCodec'
  /** This server has no processor time for it. */
  | 'overloaded'

export const fault = (kind: CameraFaultKind, detail: string): CameraFault => ({ kind, detail })

/** Text from a camera, shortened and cleaned for a log line or a message. */
export function quoted(text: string, limit = 80): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '.')
  return printable.length > limit ? `"${printable.slice(0, limit)}…"` : `"${printable}"`
}
