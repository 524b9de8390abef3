/** Why a camera's stream is not there. `detail` is for a person: what was expected, what came; never a password or a token. */
export interface CameraFault {
  readonly kind: CameraFaultKind
  readonly detail: string
}

export type CameraFaultKind =
  /** Nothing answers at that address. */
  | 'unreachable'
  /** The address lies where no camera may be: see `camera-address.ts`. */
  | 'addressRefused'
  | 'credentialsIncorrect'
  /** Connected, but a reply did not come in time. */
  | 'timeout'
  /** Playing, but no picture came for too long. */
  | 'silent'
  /** A reply that breaks the protocol or says no. */
  | 'badReply'
  /** The byte stream lost its framing. */
  | 'desync'
  | 'closed'
  | 'noVideo'
  | 'unsupportedCodec'

export const fault = (kind: CameraFaultKind, detail: string): CameraFault => ({ kind, detail })

/** What a camera sent, cut and cleaned so that it can stand in a log line or a message. */
export function quoted(text: string, limit = 80): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '.')
  return printable.length > limit ? `"${printable.slice(0, limit)}…"` : `"${printable}"`
}
