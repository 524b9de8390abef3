import type { TrackConfig } from '../frame/index.ts'
import { ascii, box, fullBox, join, u8, u16, u32 } from './box-writer.ts'
import { avcConfig, hevcConfig } from './decoder-config.ts'

type Video = Extract<TrackConfig, { kind: 'video' }>
type Audio = Extract<TrackConfig, { kind: 'audio' }>

const SEVENTY_TWO_DPI = 0x00_48_00_00
const OPUS_HEAD_BYTES = 19

function visual(type: string, track: Video, config: Uint8Array): Uint8Array {
  return box(
    type,
    new Uint8Array(6),
    u16(1),
    new Uint8Array(16),
    u16(track.width),
    u16(track.height),
    u32(SEVENTY_TWO_DPI),
    u32(SEVENTY_TWO_DPI),
    u32(0),
    u16(1),
    new Uint8Array(32),
    u16(0x18),
    u16(0xff_ff),
    config,
  )
}

function audible(type: string, track: Audio, config: Uint8Array): Uint8Array {
  // The field is 16.16 fixed point, so 96 kHz doesn't fit: it is 0 then, because ISO 14496-14 players use the rate from
  // the decoder configuration.
  const rate = track.sampleRate > 0xff_ff ? 0 : track.sampleRate * 65_536
  return box(
    type,
    new Uint8Array(6),
    u16(1),
    new Uint8Array(8),
    u16(track.channels),
    u16(16),
    u32(0),
    u32(rate),
    config,
  )
}

/** A descriptor of ISO 14496-1 §8.3.3; the length fits one byte because AudioSpecificConfig has at most a few dozen. */
function descriptor(tag: number, content: Uint8Array): Uint8Array {
  if (content.length > 0x7f) throw new Error(`descriptor ${tag} of ${content.length} bytes; at most 127 can be written`)
  return join([u8(tag), u8(content.length), content])
}

function esds(track: Audio): Uint8Array {
  const decoderSpecific = descriptor(5, track.config)
  // 0x40 is AAC, 0x15 an audio stream; buffer size and bit rates are unknown, so 0.
  const decoder = descriptor(4, join([u8(0x40), u8(0x15), new Uint8Array(11), decoderSpecific]))
  const elementary = descriptor(3, join([u16(0), u8(0), decoder, descriptor(6, Uint8Array.of(2))]))
  return fullBox('esds', { version: 0, flags: 0 }, elementary)
}

/** `dOps` is OpusHead with its numbers turned to big-endian (opus-codec.org, "Encapsulation of Opus in ISO Base Media File Format" §4.3.2). */
function opusConfig(track: Audio): Uint8Array {
  if (track.config.length < OPUS_HEAD_BYTES) {
    return box('dOps', u8(0), u8(track.channels), u16(0), u32(track.sampleRate), u16(0), u8(0))
  }
  const head = new DataView(track.config.buffer, track.config.byteOffset, track.config.byteLength)
  return box(
    'dOps',
    u8(0),
    u8(head.getUint8(9)),
    u16(head.getUint16(10, true)),
    u32(head.getUint32(12, true)),
    u16(head.getUint16(16, true)),
    track.config.subarray(18),
  )
}

/** OpusHead from the content of `dOps`: the inverse of {@link opusConfig}. */
export function opusHead(content: Uint8Array): Uint8Array {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const head = new Uint8Array(content.length + 8)
  const out = new DataView(head.buffer)
  head.set(ascii('OpusHead'))
  out.setUint8(8, 1)
  out.setUint8(9, view.getUint8(1))
  out.setUint16(10, view.getUint16(2), true)
  out.setUint32(12, view.getUint32(4), true)
  out.setUint16(16, view.getUint16(8), true)
  head.set(content.subarray(10), 18)
  return head
}

function audioEntry(track: Audio): Uint8Array {
  switch (track.codec) {
    case 'aac':
      return audible('mp4a', track, esds(track))
    case 'opus':
      return audible('Opus', { ...track, sampleRate: 48_000 }, opusConfig(track))
    case 'pcma':
      return audible('alaw', track, new Uint8Array(0))
    case 'pcmu':
      return audible('ulaw', track, new Uint8Array(0))
  }
}

/** The sample entry of a track: `avc1`, `hvc1`, `mp4a`, `Opus`, or the QuickTime names `alaw` and `ulaw`, which ffmpeg, VLC and QuickTime read. */
export function sampleEntry(track: TrackConfig): Uint8Array {
  if (track.kind === 'audio') return audioEntry(track)
  return track.codec === 'h264'
    ? visual('avc1', track, box('avcC', avcConfig(track.parameterSets)))
    : visual('hvc1', track, box('hvcC', hevcConfig(track.parameterSets)))
}
