import { readFile } from 'node:fs/promises'
import { type PacketTemplate, packetizeAudio } from '../rtp/packets.ts'

export const AUDIO_PAYLOAD_TYPE = 97

/** PCM samples in one AAC-LC frame (ISO 14496-3). */
export const SAMPLES_PER_FRAME = 1024

const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
]

export interface AudioClip {
  readonly sampleRate: number
  readonly channels: number
  /** AudioSpecificConfig, two bytes (ISO 14496-3 §1.6.2.1). */
  readonly config: Buffer
  readonly frames: readonly PacketTemplate[]
}

/** Reads an ADTS file (ISO 14496-3 §1.A.2). Throws with the file's name and the offset where it stops being ADTS. */
export async function loadAudioClip(path: string): Promise<AudioClip> {
  const file = await readFile(path)
  const frames: PacketTemplate[] = []
  for (let at = 0; at + 7 <= file.length; ) {
    if (file.readUInt16BE(at) >> 4 !== 0xf_ff) throw new Error(`${path}: no ADTS frame at byte ${at}`)
    const length = ((file.readUInt32BE(at + 2) >> 5) & 0x1f_ff) | 0
    const header = ((file[at + 1] ?? 0) & 1) === 1 ? 7 : 9
    if (length <= header || at + length > file.length)
      throw new Error(`${path}: the ADTS frame at byte ${at} is cut off`)
    frames.push(packetizeAudio(file.subarray(at + header, at + length), AUDIO_PAYLOAD_TYPE))
    at += length
  }
  if (frames.length === 0) throw new Error(`${path}: holds no audio frame`)
  const second = file[2] ?? 0
  const objectType = (second >> 6) + 1
  const rateIndex = (second >> 2) & 0xf
  const sampleRate = SAMPLE_RATES[rateIndex]
  if (sampleRate === undefined) throw new Error(`${path}: sampling_frequency_index ${rateIndex} is reserved`)
  const channels = ((second & 1) << 2) | ((file[3] ?? 0) >> 6)
  const config = Buffer.from([(objectType << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3)])
  return { sampleRate, channels, config, frames }
}
