import type { ClipPlan } from '../clips/index.ts'

/** What is drawn into pictures. Texts are of users and are never trusted. */
export interface DrawnText {
  /** Name of the camera and local time; undefined: neither. */
  readonly overlay: { readonly cameraName: string; readonly timeZone: string } | undefined
  readonly watermark: string | undefined
}

const TICKS_PER_MS = 90
const BLOCK_MS = 15 * 60_000
const FIRST = '0:00:00.00'
const ALWAYS = '99:00:00.00'

/**
 * The texts of a file as a script of Advanced SubStation Alpha, which libass draws; times are those of the file, before it is cut. The
 * clock is that of each part of the footage, in local time with the difference to UTC, which differs between the two hours that a clock change repeats.
 */
export function overlayScript(
  { overlay, watermark }: DrawnText,
  {
    pieces,
    duration,
    size,
    marginRight,
  }: Pick<ClipPlan, 'pieces' | 'duration'> & {
    size: { width: number; height: number }
    /** What name and time leave free at the right; pixels. */
    marginRight?: number | undefined
  },
): string {
  const { width, height } = size
  const small = Math.max(12, Math.round(height / 24))
  const lines: string[] = []
  if (overlay !== undefined) {
    const name = escapeText(overlay.cameraName)
    for (const { at, text } of clockTexts({ pieces, duration }, overlay.timeZone))
      lines.push(`Dialogue: 0,${at},Label,,0,0,0,,${text}${name === '' ? '' : `  ${name}`}`)
  }
  if (watermark !== undefined) lines.push(`Dialogue: 1,${FIRST},${ALWAYS},Mark,,0,0,0,,${escapeText(watermark)}`)
  const mark = Math.max(12, Math.round(Math.min(height / 8, (width * 1.5) / Math.max(8, watermark?.length ?? 0))))
  const margin = Math.round(height / 60)
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    'ScaledBorderAndShadow: yes',
    'WrapStyle: 0',
    '[V4+ Styles]',
    'Format: Name,Fontname,Fontsize,PrimaryColour,OutlineColour,BackColour,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV',
    // White on a dark box at the bottom left; a bright, half transparent text in the middle.
    `Style: Label,Sans,${small},&H00FFFFFF,&H60000000,&H60000000,3,${Math.round(small / 6)},0,1,${margin},${marginRight ?? margin},${margin}`,
    `Style: Mark,Sans,${mark},&H90FFFFFF,&HA0000000,&HFF000000,1,${Math.max(1, Math.round(mark / 24))},0,5,${margin},${margin},0`,
    '[Events]',
    'Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text',
    ...lines,
    '',
  ].join('\n')
}

interface ClockText {
  /** Beginning and end, as the script writes them. */
  readonly at: string
  readonly text: string
}

function* clockTexts(
  { pieces, duration }: Pick<ClipPlan, 'pieces' | 'duration'>,
  timeZone: string,
): Generator<ClockText> {
  const clock = zoneClock(timeZone)
  let shown: { readonly second: number; readonly from: number } | undefined
  const end = (till: number): ClockText[] =>
    shown === undefined || till <= shown.from
      ? []
      : [{ at: `${scriptTime(shown.from)},${scriptTime(till)}`, text: clock(shown.second * 1000) }]
  for (const [index, { part, shift }] of pieces.entries()) {
    const from = part.time + shift
    const next = pieces[index + 1]
    const till = next === undefined ? duration : next.part.time + next.shift
    const last = part.wallClock + (till - from) / TICKS_PER_MS
    for (let second = Math.floor(part.wallClock / 1000); second * 1000 < last; second++) {
      if (shown?.second === second) continue
      const begins = Math.max(from, from + (second * 1000 - part.wallClock) * TICKS_PER_MS)
      yield* end(begins)
      shown = { second, from: begins }
    }
  }
  yield* end(duration)
}

/** Local time with its difference to UTC. The difference changes at quarters of an hour at most, so it is looked up for each. */
export function zoneClock(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const differences = new Map<number, string>()
  return (at) => {
    const block = Math.floor(at / BLOCK_MS)
    let difference = differences.get(block)
    if (difference === undefined) {
      const name = format.formatToParts(block * BLOCK_MS).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
      difference = name === 'GMT' ? '+00:00' : name.slice(3)
      differences.set(block, difference)
    }
    const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)/.exec(difference) ?? []
    const ms = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
    return `${new Date(at + ms).toISOString().slice(0, 19).replace('T', ' ')} UTC${difference}`
  }
}

/** `h:mm:ss.cc` of ticks. */
function scriptTime(ticks: number): string {
  const hundredths = Math.round(ticks / 900)
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(hundredths / 100)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`
}

/**
 * A text that is shown as it is: without line breaks and control characters, and with nothing that the script would read as a command:
 * braces begin one, and a backslash is one unless an invisible character follows it.
 */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
