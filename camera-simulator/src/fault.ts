import { z } from 'zod'

/** What some cameras do wrong in ONVIF. */
export const onvifQuirk = z.enum([
  /** Replies begin with a byte-order mark. */
  'byte-order-mark',
  /** Replies begin with blanks and an empty line. */
  'leading-blank',
  /** Texts contain bytes that are no UTF-8. */
  'bad-utf8',
  /** Elements have other prefixes than usual. */
  'other-prefixes',
  /** Dates are `0000-00-00`. */
  'zero-date',
  /** The clock is set by NTP servers. */
  'time-by-ntp',
  /** The user is no administrator: SetSystemDateAndTime is refused. */
  'no-administrator',
  /** SetSystemDateAndTime is unknown. */
  'no-set-clock',
  /** SetSystemDateAndTime with a time zone is refused. */
  'no-set-time-zone',
  /** SetSystemDateAndTime succeeds, and the clock stays. */
  'clock-not-set',
  /** Settings are accepted and ignored. */
  'settings-not-kept',
  /** The imaging service is named and unknown. */
  'no-imaging',
  'missing-topic',
  /** Topics end in `//.`. */
  'topic-slashes',
  /** Addresses of services and subscriptions name another host, as of a camera behind a router. */
  'inner-addresses',
  /** GetServices is unknown. */
  'no-get-services',
  /** The profile `sub` has no stream address. */
  'sub-stream-address-fails',
  /** Media2 only: the older media service has no profiles. */
  'media2-only',
  /** GetProfiles of Media2 has no profiles. */
  'media2-empty',
  /** PullMessages isn't answered. */
  'events-silent',
  'no-events',
  'no-synchronization',
  /** Durations are not understood as times of termination. */
  'absolute-termination',
  /** A movement goes on after its Timeout. */
  'ptz-ignores-timeout',
  /** Stop is unknown. */
  'ptz-no-stop',
  'ptz-no-presets',
  /** Only AbsoluteMove is known. */
  'ptz-absolute-only',
  /** No translation by shares of the picture. */
  'ptz-no-field-of-view',
  /** SystemReboot isn't answered and does nothing. */
  'reboot-silent',
  /** StartFirmwareUpgrade is unknown. */
  'no-firmware-upgrade',
  /** StartFirmwareUpgrade is unknown, and UpgradeSystemFirmware isn't. */
  'old-firmware-upgrade',
  /** The connection of an upload is reset in the middle. */
  'firmware-cut-off',
  /** An upgrade never comes to an end: the camera stays off until it is healed. */
  'firmware-dies',
  /** An upgrade is accepted, and the version stays. */
  'firmware-not-kept',
])
export type OnvifQuirk = z.infer<typeof onvifQuirk>

/** Faults of a camera, to test how its viewers handle them. Several may be active; `heal` ends all. */
export const fault = z.discriminatedUnion('kind', [
  /** RTSP stops sending, even replies; the connections stay open. */
  z.strictObject({ kind: z.literal('stall') }),
  /** All RTSP connections are reset now (TCP RST). Happens once. */
  z.strictObject({ kind: z.literal('reset') }),
  /** The RTSP connections of one stream are reset now. Happens once. */
  z.strictObject({ kind: z.literal('reset-stream'), stream: z.enum(['main', 'sub']) }),
  /** RTSP and ONVIF ports are closed: new connections are refused, existing ones reset. */
  z.strictObject({ kind: z.literal('refuse') }),
  /** Random bytes in the middle of the interleaved stream instead of packets. */
  z.strictObject({ kind: z.literal('garbage') }),
  /** The camera rejects its password (RTSP, ONVIF); RTSP connections are reset. */
  z.strictObject({ kind: z.literal('wrong-password') }),
  /** The maximum bytes per second for each RTSP connection; the rest waits. */
  z.strictObject({ kind: z.literal('slow'), bytesPerSecond: z.number().positive() }),
  /** The camera's clock jumps: strip, RTCP sender reports and ONVIF. The counter and RTP timestamps continue. */
  z.strictObject({ kind: z.literal('clock-jump'), byMs: z.int() }),
  /** RTP timestamps jump, sender reports agree with them, and the clock continues. */
  z.strictObject({ kind: z.literal('timestamp-jump'), bySeconds: z.number() }),
  /** RTP sequence numbers continue elsewhere, once for each connection; SSRC and timestamps stay. */
  z.strictObject({ kind: z.literal('sequence-step'), by: z.int() }),
  /** ONVIF as some cameras do it; replaces the ones before. */
  z.strictObject({ kind: z.literal('onvif-quirks'), quirks: z.array(onvifQuirk) }),
  /** Of a recorder: no cameras are connected to these inputs, and to all others there are, whatever the settings say. */
  z.strictObject({ kind: z.literal('empty-inputs'), inputs: z.array(z.int().min(1)) }),
  /** Every n-th RTP packet is lost; its sequence number is missing. */
  z.strictObject({ kind: z.literal('drop-packets'), every: z.int().min(2) }),
  /** Key pictures are further apart, until the camera is set to others. What lies between can't be shown as it was. */
  z.strictObject({ kind: z.literal('rare-keyframes'), everySeconds: z.number().positive() }),
  /** So many viewers are served at the same time; SETUP of others is answered by 453. */
  z.strictObject({ kind: z.literal('viewer-limit'), most: z.int().min(0) }),
  /** RTSP answers 404 for the sub stream. ONVIF still lists it. */
  z.strictObject({ kind: z.literal('sub-stream-missing') }),
  /**
   * The main stream continues with the clip of the sub stream: other parameter sets, size and frame rate, mid-stream.
   */
  z.strictObject({ kind: z.literal('change-resolution') }),
])

export type Fault = z.infer<typeof fault>

export type FaultKind = Fault['kind']

/** The faults of one camera, asked by whatever sends. */
export class ActiveFaults {
  readonly #faults = new Map<FaultKind, Fault>()

  add(fault: Fault): void {
    this.#faults.set(fault.kind, fault)
  }

  clear(): void {
    this.#faults.clear()
  }

  has(kind: FaultKind): boolean {
    return this.#faults.has(kind)
  }

  /** The active fault of a kind, with its numbers. */
  get<K extends FaultKind>(kind: K): Extract<Fault, { kind: K }> | undefined {
    const isOfKind = (fault: Fault | undefined): fault is Extract<Fault, { kind: K }> => fault?.kind === kind
    const fault = this.#faults.get(kind)
    return isOfKind(fault) ? fault : undefined
  }
}
