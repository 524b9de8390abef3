import type { ClientRequest } from './request-reader.ts'

/** A `Range` (RFC 2326 §12.29): seconds of the presentation's own time, or the time of day in milliseconds since 1970. */
export interface ClientRange {
  readonly unit: 'npt' | 'clock'
  /** Undefined: from where it is. */
  readonly from: number | undefined
  /** Undefined: to the end. */
  readonly till: number | undefined
}

/** What a client asks for with PLAY. */
export interface PlayRequest {
  readonly range: ClientRange | undefined
  /** Negative: backwards. Undefined if nothing is said. */
  readonly scale: number | undefined
  /** `client`: as fast as the client takes it (ONVIF Streaming §6.4, `Rate-Control: no`). */
  readonly pace: 'clock' | 'client'
  readonly pictures: 'all' | 'keys'
  /** Key pictures that are closer are left out, milliseconds. */
  readonly leastDistanceMs: number
  /** The low byte goes into the packets' extension. */
  readonly cseq: number
}

/** The speeds that can be sent; the answer names the one that is used (RFC 2326 §12.34). */
const FASTEST = 16
const SLOWEST = 1 / 16

/** @returns the status of the refusal for what isn't understood. */
export function readPlayRequest({ headers }: Pick<ClientRequest, 'headers'>): PlayRequest | 400 | 501 {
  const rangeText = headers.get('range')
  const range = rangeText === undefined ? undefined : parseRange(rangeText)
  if (range === 400 || range === 501) return range
  const scale = readScale(headers.get('scale'))
  const frames = /^(all|predicted|intra)(?:\/(\d{1,8}))?$/i.exec(headers.get('frames') ?? 'all')
  const rate = /^(yes|no)$/i.exec(headers.get('rate-control') ?? 'yes')
  if (scale === 400 || frames === null || rate === null) return 400
  return {
    range,
    scale,
    pace: rate[1]?.toLowerCase() === 'no' ? 'client' : 'clock',
    pictures: frames[1]?.toLowerCase() === 'intra' ? 'keys' : 'all',
    leastDistanceMs: Number(frames[2] ?? 0),
    cseq: Number(/^\d{1,10}$/.exec(headers.get('cseq') ?? '')?.[0] ?? 0),
  }
}

function readScale(text: string | undefined): number | undefined | 400 {
  if (text === undefined) return undefined
  if (!/^[+-]?\d{1,6}(\.\d{0,6})?$/.test(text)) return 400
  const wanted = Number(text)
  if (wanted === 0) return 400
  return Math.sign(wanted) * Math.min(Math.max(Math.abs(wanted), SLOWEST), FASTEST)
}

/** SMPTE times are of no use without a frame rate: 501, as RFC 2326 §12.29 asks. */
function parseRange(text: string): ClientRange | 400 | 501 {
  const [, unit = '', span = ''] = /^([a-z0-9-]{1,20})=([^;]{1,80})(?:;.*)?$/i.exec(text.trim()) ?? []
  switch (unit.toLowerCase()) {
    case 'npt':
      return toRange('npt', /^([^-]*)-([^-]*)$/.exec(span), parseNpt)
    case 'clock':
      return toRange('clock', /^([^-]+)-([^-]*)$/.exec(span), parseClock)
    case '':
      return 400
    default:
      return 501
  }
}

function toRange(
  unit: ClientRange['unit'],
  span: RegExpExecArray | null,
  parse: (text: string) => number | undefined | 400,
): ClientRange | 400 {
  const [from, till] = span === null ? [400, 400] : [span[1], span[2]].map((text = '') => parse(text.trim()))
  if (from === 400 || till === 400 || (from === undefined && till === undefined && unit === 'clock')) return 400
  return { unit, from, till }
}

/** `now` is where it is. */
function parseNpt(text: string): number | undefined | 400 {
  if (text === '' || text === 'now') return undefined
  const seconds = /^\d{1,9}(\.\d{0,9})?$/.exec(text)
  if (seconds !== null) return Number(text)
  const clock = /^(\d{1,6}):([0-5]?\d):([0-5]?\d(?:\.\d{0,9})?)$/.exec(text)
  return clock === null ? 400 : Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
}

/** `20261128T120000.250Z` (RFC 2326 §3.7). */
function parseClock(text: string): number | undefined | 400 {
  if (text === '') return undefined
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text)
  if (parts === null) return 400
  const [, year, month, day, hour, minute, second, fraction = ''] = parts
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? 400 : time + Number(`0${fraction}`) * 1000
}

/** A time of day as it stands in `Range` and in descriptions. */
export const clockText = (time: number): string => new Date(Math.round(time)).toISOString().replaceAll(/[-:]/g, '')

export const nptText = (seconds: number): string => Math.max(0, seconds).toFixed(3)
