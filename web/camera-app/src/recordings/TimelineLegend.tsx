import { Dialog } from '@sightline/kit'
import { useEffect, useRef } from 'react'
import { reasonTexts } from './gap-text.ts'
import { type Text, useText } from './text.ts'
import { readColours } from './timeline/colours.ts'
import { LABEL_HEIGHT, type Look, Painter } from './timeline/draw.ts'
import {
  BY_EVENT,
  CARD,
  type Footage,
  type GapClass,
  gapClassByReason,
  gapClasses,
  LOCKED,
  reasons,
  type Stretch,
  toStretches,
} from './timeline/footage.ts'
import { zoneClock } from './timeline/zone-clock.ts'

/** Of a sample; nothing in it is of a camera. */
const MINUTE = { from: 0, till: 60_000 }
/** CSS pixels. */
const WIDTH = 72
const HEIGHT = 58
/** The handles of a selection reach over the row. */
const CUT_OFF = LABEL_HEIGHT - 8

interface Sample {
  readonly text: Text
  /** More about it. */
  readonly details?: readonly Text[]
  readonly footage: Footage
  readonly look?: Partial<Pick<Look, 'now' | 'playhead' | 'marks'>>
}

interface SampleContent {
  readonly recorded?: readonly Stretch[]
  readonly gaps?: readonly Stretch[]
  readonly events?: readonly number[]
}

const footageOf = ({ recorded = [], gaps = [], events = [] }: SampleContent): Footage => ({
  recorded: toStretches(recorded),
  gaps: toStretches(gaps),
  events: events.map((from) => ({ eventId: from, type: 'motion', from, till: from })),
})

const recordedAs = (code: number, share = 255): Footage => footageOf({ recorded: [{ ...MINUTE, code, share }] })

const recorded = recordedAs(0)

const ofFootage: readonly Sample[] = [
  { text: 'Recorded', footage: recorded },
  { text: 'Recorded because of an event', footage: recordedAs(BY_EVENT) },
  { text: 'Recorded part of the time', footage: recordedAs(0, 128) },
  { text: 'From the camera’s card', footage: recordedAs(CARD) },
  { text: 'Locked, can’t be deleted', footage: recordedAs(LOCKED) },
  {
    text: 'Event',
    footage: footageOf({ recorded: [{ ...MINUTE, code: 0 }], events: [12_000, 30_000, 34_000, 51_000] }),
  },
]

const classTexts: Readonly<Record<GapClass, Text>> = {
  camera: 'Camera or network problem',
  server: 'Server problem',
  planned: 'Recording was off',
  deleted: 'Deleted footage',
}

/** Of each kind of gap: footage that breaks off, and the causes. The most serious first. */
const ofGaps: readonly Sample[] = gapClasses.toReversed().map((gapClass) => {
  const causes = reasons.filter((reason) => gapClassByReason[reason] === gapClass)
  const [from, till] = [MINUTE.till / 4, MINUTE.till]
  return {
    text: classTexts[gapClass],
    details: causes.map((cause) => reasonTexts[cause]),
    footage: footageOf({
      recorded: [{ from: 0, till: from, code: 0 }],
      gaps: causes.slice(0, 1).map((cause) => ({ from, till, code: reasons.indexOf(cause) })),
    }),
  }
})

const ofMarks: readonly Sample[] = [
  { text: 'The time you’re watching', footage: recorded, look: { playhead: 30_000 } },
  { text: 'Selected range', footage: recorded, look: { marks: { from: 15_000, till: 45_000 } } },
  {
    text: 'Now and the future',
    footage: footageOf({ recorded: [{ from: 0, till: 30_000, code: 0 }] }),
    look: { now: 30_000 },
  },
]

const groups: readonly { readonly title: Text; readonly samples: readonly Sample[] }[] = [
  { title: 'Footage', samples: ofFootage },
  { title: 'No footage', samples: ofGaps },
  { title: 'Markers', samples: ofMarks },
]

interface TimelineLegendProps {
  open: boolean
  onClose: () => void
}

/** What the colors and patterns of the timeline mean, drawn by what draws the timeline. */
export function TimelineLegend({ open, onClose }: TimelineLegendProps) {
  const t = useText()
  return (
    <Dialog open={open} onClose={onClose} title={t('Timeline legend')}>
      <div className="space-y-5">
        {groups.map(({ title, samples }) => (
          <section key={title} aria-label={t(title)}>
            <h3 className="font-semibold">{t(title)}</h3>
            <ul className="mt-2 space-y-3">
              {samples.map((sample) => (
                <li key={sample.text} className="flex items-start gap-3">
                  <Swatch sample={sample} />
                  <div className="min-w-0 self-center">
                    <p>{t(sample.text)}</p>
                    {sample.details === undefined ? null : (
                      <p className="text-sm text-muted">{sample.details.map((detail) => t(detail)).join(', ')}</p>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** A sample in the timeline's colors, which is dark whatever the theme. The text beside it says the same. */
function Swatch({ sample: { footage, look } }: { sample: Sample }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (canvas.current === null || context === null || context === undefined) return
    const ratio = window.devicePixelRatio
    canvas.current.width = Math.round(WIDTH * ratio)
    canvas.current.height = Math.round(HEIGHT * ratio)
    new Painter(context, readColours(canvas.current)).draw([[{ ...MINUTE, tile: { footage } }]], {
      span: MINUTE,
      now: MINUTE.till + 1000,
      playhead: undefined,
      hover: undefined,
      marks: { from: undefined, till: undefined },
      width: WIDTH,
      height: HEIGHT,
      ratio,
      clock: zoneClock('UTC'),
      texts: undefined,
      ...look,
    })
  }, [footage, look])
  return (
    <span
      data-scheme="dark"
      dir="ltr"
      aria-hidden="true"
      className="block shrink-0 overflow-hidden rounded-md bg-canvas px-1.5"
    >
      <canvas ref={canvas} style={{ width: WIDTH, height: HEIGHT, marginTop: -CUT_OFF }} />
    </span>
  )
}
