import { readFile } from 'node:fs/promises'
import { chooseStripSize, type StripSize } from '../burn-in/strip-picture.ts'
import type { StripHeader } from '../burn-in/strip-slice.ts'
import { getNalType, nalType, splitAnnexB } from '../h264/nal-unit.ts'
import { readPictureParameters, readSequenceParameters } from '../h264/parameter-sets.ts'
import { type DecodedParameterSets, headerPayload, readSliceHeader, withKeyPictureId } from '../h264/slice-header.ts'
import { type PacketTemplate, packetizeVideo } from '../rtp/packets.ts'

/** Dynamic payload type of all video here (RFC 3551 §6). */
export const VIDEO_PAYLOAD_TYPE = 96

export interface ClipPicture {
  readonly isKey: boolean
  /** SPS and PPS, in front of key pictures. */
  readonly head: PacketTemplate | undefined
  /** Header of the slice that the strip replaces; undefined if the clip has no strip. */
  readonly strip: StripHeader | undefined
  readonly rest: PacketTemplate
}

/** A recorded clip, parsed once, and cut into packets as it is first played. Played in a loop by any number of cameras. */
export interface VideoClip {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  /** Average of the file, without what the strip adds. */
  readonly kilobitsPerSecond: number
  /** profile_idc, constraints and level_idc in hexadecimal, as in SDP and `avc1.…`. */
  readonly profileLevel: string
  readonly sps: Buffer
  readonly pps: Buffer
  readonly pictures: readonly ClipPicture[]
  /** Undefined when the clip was not encoded for the strip; it then plays as it is, without counter and clock. */
  readonly stripSize: StripSize | undefined
}

/** Splitting all pictures at once is most of the work of loading a clip, and most of them are played seconds later. */
class CutWhenPlayed implements ClipPicture {
  readonly isKey: boolean
  readonly head: PacketTemplate | undefined
  readonly strip: StripHeader | undefined
  #slices: readonly Buffer[]
  #rest: PacketTemplate | undefined

  constructor({ isKey, head, strip }: Omit<ClipPicture, 'rest'>, slices: readonly Buffer[]) {
    this.isKey = isKey
    this.head = head
    this.strip = strip
    this.#slices = slices
  }

  get rest(): PacketTemplate {
    this.#rest ??= packetizeVideo(this.#slices, VIDEO_PAYLOAD_TYPE)
    // The packets are a copy, and the file may go once all its pictures were played.
    this.#slices = []
    return this.#rest
  }
}

interface ReadClip {
  readonly parameters: DecodedParameterSets
  readonly sps: Buffer
  readonly pps: Buffer
  /** Slices of each picture. */
  readonly pictures: Buffer[][]
}

function find(units: readonly Buffer[], type: number, path: string): Buffer {
  const unit = units.find((candidate) => getNalType(candidate) === type)
  if (unit === undefined) throw new Error(`${path}: an H.264 clip must hold a NAL unit of type ${type}, and has none`)
  return unit
}

const isSlice = (unit: Buffer): boolean => getNalType(unit) === nalType.slice || getNalType(unit) === nalType.keySlice

function groupPictures(units: readonly Buffer[], path: string): Buffer[][] {
  const pictures: Buffer[][] = []
  for (const unit of units.filter(isSlice)) {
    // first_mb_in_slice is the first code after the NAL header; zero is a single one bit.
    const beginsPicture = ((unit[1] ?? 0) & 0x80) !== 0
    if (beginsPicture) pictures.push([unit])
    else pictures.at(-1)?.push(unit)
  }
  const [first] = pictures
  if (first?.[0] === undefined || getNalType(first[0]) !== nalType.keySlice)
    throw new Error(`${path}: a clip must begin with an IDR picture`)
  return pictures
}

const isKeyPicture = (slices: readonly Buffer[]): boolean =>
  slices[0] !== undefined && getNalType(slices[0]) === nalType.keySlice

/**
 * Gives idr_pic_id 0, 1, 0, 1 … and 2 to the last of an odd number, so that neighbors differ across the end of the loop
 * too.
 */
function renumberKeyPictures({ pictures, parameters }: ReadClip): Buffer[][] {
  // A single key picture would follow itself, so the clip is played twice before it repeats.
  const played = pictures.filter(isKeyPicture).length === 1 ? [...pictures, ...pictures] : pictures
  const keys = played.filter(isKeyPicture).length
  let key = -1
  return played.map((slices) => {
    if (!isKeyPicture(slices)) return slices
    key += 1
    const id = key === keys - 1 && keys % 2 === 1 ? 2 : key % 2
    return slices.map((slice) => withKeyPictureId(slice, id, parameters))
  })
}

/** The strip needs its own slice, CAVLC, and no deblocking across its border. */
function findStripSize({ parameters, pictures }: ReadClip): StripSize | undefined {
  const second = pictures[0]?.[1]
  if (parameters.picture.coding !== 'cavlc' || second === undefined) return undefined
  const header = readSliceHeader(headerPayload(second), parameters)
  if (header.deblocking !== 'off') return undefined
  return chooseStripSize(parameters.sequence.widthInMacroblocks, header.firstMacroblock)
}

function stripHeaderOf(slice: Buffer, parameters: DecodedParameterSets): StripHeader {
  const raw = headerPayload(slice)
  const { kind, bits, references } = readSliceHeader(raw, parameters)
  return { kind, bits, references, raw: Uint8Array.from(raw.subarray(0, Math.ceil(bits / 8))) }
}

function parse(stream: Buffer, path: string): ReadClip {
  const units = splitAnnexB(stream)
  const sps = find(units, nalType.sps, path)
  const pps = find(units, nalType.pps, path)
  const parameters = { sequence: readSequenceParameters(sps), picture: readPictureParameters(pps) }
  return { parameters, sps, pps, pictures: groupPictures(units, path) }
}

/** Reads an Annex-B file. Throws with the file's name when it is not a clip that can be played in a loop. */
export async function loadVideoClip(path: string, framesPerSecond: number): Promise<VideoClip> {
  const file = await readFile(path)
  const clip = parse(file, path)
  const { parameters, sps, pps } = clip
  const stripSize = findStripSize(clip)
  const head = packetizeVideo([sps, pps], VIDEO_PAYLOAD_TYPE)
  const pictures = renumberKeyPictures(clip).map((slices): ClipPicture => {
    const [first, ...others] = slices
    const strip = stripSize === undefined || first === undefined ? undefined : stripHeaderOf(first, parameters)
    const isKey = isKeyPicture(slices)
    return new CutWhenPlayed({ isKey, head: isKey ? head : undefined, strip }, strip === undefined ? slices : others)
  })
  const { width, height, profileLevel } = parameters.sequence
  const kilobitsPerSecond = Math.round((file.length * 8 * framesPerSecond) / clip.pictures.length / 1000)
  return { width, height, framesPerSecond, kilobitsPerSecond, profileLevel, sps, pps, pictures, stripSize }
}
