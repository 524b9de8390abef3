import { AAC_FRAME_SAMPLES, aacTrack, buildAudioSpecificConfig, G711_RATE } from '../codec/index.ts'
import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { fragment, type PlacedTrack, placeFragment } from '../mux/index.ts'

/**
 * Sound that players of MP4 know, for footage with G.711: AAC-LC, in fragments of its own after the parts. How much room they have is
 * decided before the sound is encoded, so that the length of the file and its index are known before.
 */
export interface AddedSound {
  readonly placed: PlacedTrack
  /** For each piece of the clip: the numbers of the packets that come after it. */
  readonly packets: readonly (readonly number[])[]
}

export const TICKS_PER_SAMPLE = TICKS_PER_SECOND / G711_RATE
const PACKET_TICKS = AAC_FRAME_SAMPLES * TICKS_PER_SAMPLE
/** Packets come after the part that ends so long after them: the encoder needs to hear on before it makes them. */
const LAG_TICKS = 2 * TICKS_PER_SECOND
/** AAC-LC has at most 6144 bits a frame and channel (ISO 14496-3 §4.5.3.2). */
const MAX_PACKET_BYTES = 768
/** moof, mfhd, traf, tfhd with the format, tfdt, trun, a free box in moof, mdat; and the free box that fills the room. */
const HEAD_BYTES = 8 + 16 + 8 + 16 + 20 + 20 + 16 + 8 + 8
const BYTES_PER_PACKET = 12

export const addedTrack = (): TrackConfig => {
  const track = aacTrack(buildAudioSpecificConfig({ objectType: 2, sampleRate: G711_RATE, channels: 1 }))
  if (track === undefined) throw new Error('AAC of 8 kHz has no configuration')
  return track
}

/** Whether sound can be added for a track. */
export const isAddable = ({ codec, ...track }: TrackConfig): boolean =>
  (codec === 'pcma' || codec === 'pcmu') && track.kind === 'audio' && track.channels === 1

/** The packets after each piece; those of pieces without G.711 are left out. */
export function planPackets(
  pieces: readonly { readonly end: number; readonly isAdded: boolean }[],
  until: number,
): readonly (readonly number[])[] {
  const packets = pieces.map((): number[] => [])
  let [home, into] = [0, 0]
  for (let number = 0; number * PACKET_TICKS < until; number++) {
    const at = number * PACKET_TICKS
    while (home < pieces.length - 1 && (pieces[home]?.end ?? 0) <= at) home++
    while (into < pieces.length - 1 && (pieces[into]?.end ?? 0) < at + LAG_TICKS) into++
    if (pieces[home]?.isAdded === true) packets[into]?.push(number)
  }
  return packets
}

/** Bytes of the fragment with so many packets, whatever is in them. */
export const roomBytes = (packets: number): number =>
  packets === 0 ? 0 : HEAD_BYTES + packets * (BYTES_PER_PACKET + MAX_PACKET_BYTES)

/** Encodes sound while the clip is read. */
export interface ClipSoundSource extends Disposable {
  /** Hears a piece, before its times are changed. @param payload as on the disk. */
  hear(payload: Uint8Array, tracks: readonly TrackConfig[], at: { shift: number; runFrom: number }): Promise<void>
  /** What comes after a piece, in exactly the room that was planned for it. @param index of the piece. */
  take(index: number): Promise<readonly Uint8Array[]>
}

export interface EncodedPacket {
  readonly number: number
  readonly bytes: Uint8Array
}

/** A fragment with packets, and a box to skip that fills its room. @throws if a packet is larger than AAC allows. */
export function soundFragment(
  packets: readonly EncodedPacket[],
  { sequence, placed }: { readonly sequence: number; readonly placed: PlacedTrack },
): readonly Uint8Array[] {
  const track = addedTrack()
  const samples = packets.map(({ number, bytes }, index) => {
    if (bytes.length > MAX_PACKET_BYTES) throw new Error(`a packet of AAC has ${bytes.length} bytes`)
    const time = number * PACKET_TICKS
    const next = packets[index + 1]?.number ?? number + 1
    const unit = { kind: 'audio' as const, time, wallClock: 0, isKey: true, units: [bytes] }
    return { track: 0, unit, duration: (next - number) * PACKET_TICKS }
  })
  const whole = Buffer.concat(fragment({ sequence, tracks: [track], samples }))
  const placement = { sequence, shift: 0, soundFrom: 0, trackOf: () => placed, leftOut: 'hidden' as const }
  const chunks = placeFragment(whole, placement, true)
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  return [...chunks, freeBox(roomBytes(packets.length) - size)]
}

/** A `free` box (ISO 14496-12 §8.1.2). */
export function freeBox(bytes: number): Uint8Array {
  const box = Buffer.alloc(bytes)
  box.writeUInt32BE(bytes)
  box.write('free', 4, 'latin1')
  return box
}
