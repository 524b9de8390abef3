import { aacTrack, g711Track, h264Track, h265Track, opusTrack } from '../codec/index.ts'
import type { TrackConfig } from '../frame/index.ts'
import { type Box, descend, getChildBox, readBoxes, toDataView } from './box-reader.ts'
import { parameterSetsOfAvc, parameterSetsOfHevc } from './decoder-config.ts'
import { opusHead } from './sample-entry.ts'

type Track = TrackConfig | undefined

/** Bytes of a visual or audio sample entry before the boxes inside it (ISO 14496-12 §12.1.3 and §12.2.3). */
const VISUAL_FIELDS = 78
const AUDIO_FIELDS = 28
const STSD_FIELDS = 8
/** From the start of `esds` to the tag of AudioSpecificConfig, as {@link sampleEntry} writes it. */
const ESDS_CONFIG_TAG = 24

function avcTrack(entry: Box): Track {
  const config = getChildBox(readBoxes(entry.content.subarray(VISUAL_FIELDS)), 'avcC').content
  const { sps, pps } = parameterSetsOfAvc(config)
  const [first] = sps
  const track = first && h264Track(first, pps)
  return track && { ...track, parameterSets: [...sps, ...pps] }
}

function hevcTrack(entry: Box): Track {
  const config = getChildBox(readBoxes(entry.content.subarray(VISUAL_FIELDS)), 'hvcC').content
  const [vps = [], sps = [], pps = []] = parameterSetsOfHevc(config)
  const track = vps[0] && sps[0] && h265Track({ vps: vps[0], sps: sps[0], pps })
  return track && { ...track, parameterSets: [...vps, ...sps, ...pps] }
}

function mp4aTrack(entry: Box): Track {
  const esds = getChildBox(readBoxes(entry.content.subarray(AUDIO_FIELDS)), 'esds').content
  const size = esds[ESDS_CONFIG_TAG + 1] ?? 0
  const start = ESDS_CONFIG_TAG + 2
  if (esds[ESDS_CONFIG_TAG] !== 5 || start + size > esds.length) return undefined
  return aacTrack(esds.slice(start, start + size))
}

function opusEntry(entry: Box): Track {
  const content = getChildBox(readBoxes(entry.content.subarray(AUDIO_FIELDS)), 'dOps').content
  if (content.length < 11) return undefined
  return { ...opusTrack(content[1] === 1 ? 1 : 2), config: opusHead(content) }
}

const g711 =
  (codec: 'pcma' | 'pcmu') =>
  (entry: Box): Track =>
    entry.content.length < AUDIO_FIELDS ? undefined : g711Track(codec, toDataView(entry.content).getUint16(16))

const READERS: Readonly<Record<string, (entry: Box) => Track>> = {
  avc1: avcTrack,
  hvc1: hevcTrack,
  mp4a: mp4aTrack,
  Opus: opusEntry,
  alaw: g711('pcma'),
  ulaw: g711('pcmu'),
}

function readTrack(trak: Box): TrackConfig {
  const stsd = descend(trak.content, ['mdia', 'minf', 'stbl', 'stsd'])
  const [entry] = readBoxes(stsd.subarray(STSD_FIELDS))
  const track = entry && READERS[entry.type]?.(entry)
  if (track === undefined) throw new Error(`sample entry '${entry?.type ?? 'none'}' is not one of ours, or is damaged`)
  return track
}

/**
 * The tracks of a `moov` written by `initSegment`, in the same order and equal to those it was given
 * (codec string, size and rate are read again from the parameter sets).
 * @throws when it is not such a box.
 */
export function readMovie(moov: Uint8Array): readonly TrackConfig[] {
  return readBoxes(moov)
    .filter((box) => box.type === 'trak')
    .map(readTrack)
}

/** The tracks of `ftyp` and `moov`, as in {@link readMovie}. */
export const readInitSegment = (bytes: Uint8Array): readonly TrackConfig[] => readMovie(descend(bytes, ['moov']))
