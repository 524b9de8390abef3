import { useApplication } from '@sightline/shell'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { browserLocale } from '../locale.ts'
import type { Coordinates } from './coordinates.ts'
import { useText } from './text.ts'
import { type Mark, type Size, scaleBar, type ZoneMap, zoneMap } from './zone-map.ts'

/** What is drawn at a location, with its own page. */
export interface DrawnThing {
  readonly name: string
  readonly href: string
  readonly note?: string | undefined
}

/** Height of the drawing relative to its width, with limits, in CSS pixels, which are its user units. */
const SHAPE = { ratio: 0.55, least: 220, most: 380 }
/** Minimum distance between markers in CSS pixels; closer ones are combined. */
const APART = 30
const LONGEST_BAR = 160
const EDGE = 18

const KM = 1000
const distanceText = (metres: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: metres < KM ? 'meter' : 'kilometer',
    maximumFractionDigits: 0,
  }).format(metres < KM ? metres : metres / KM)

/** The longest round length that fits, in a corner of a drawing. */
export function ScaleBar({ metresPerUnit, locale, size }: { metresPerUnit: number; locale: string; size: Size }) {
  const { metres, length } = scaleBar(metresPerUnit, LONGEST_BAR)
  const y = size.height - EDGE
  return (
    <g className="stroke-text">
      <path d={`M${EDGE} ${y - 5}v5h${length}v-5`} fill="none" strokeWidth="1.5" />
      <text x={EDGE} y={y - 11} className="fill-text stroke-none text-[13px]">
        {distanceText(metres, locale)}
      </text>
    </g>
  )
}

/** North is up. */
export function NorthArrow({ size }: { size: Size }) {
  const x = size.width - EDGE - 8
  return (
    <g className="fill-muted">
      <path d={`M${x} ${EDGE}l7 18-7-5-7 5z`} />
      <text x={x} y={EDGE + 34} textAnchor="middle" className="text-[13px] font-medium">
        N
      </text>
    </g>
  )
}

/** Grid lines at this distance, one of them in the middle. */
function linesOver(extent: number, apart: number): readonly number[] {
  const half = Math.ceil(extent / 2 / apart)
  return Array.from({ length: 2 * half + 1 }, (_, at) => extent / 2 + (at - half) * apart)
}

/** Grid lines with the distance of the scale bar. */
function Grid({ metresPerUnit, size }: { metresPerUnit: number; size: Size }) {
  const { length } = scaleBar(metresPerUnit, LONGEST_BAR)
  return (
    <g className="stroke-border" strokeWidth="1">
      {linesOver(size.width, length).map((x) => (
        <path key={x} d={`M${x} 0v${size.height}`} />
      ))}
      {linesOver(size.height, length).map((y) => (
        <path key={y} d={`M0 ${y}h${size.width}`} />
      ))}
    </g>
  )
}

function Numbered({ mark, number }: { mark: Mark<DrawnThing>; number: number }) {
  return (
    <g>
      <circle cx={mark.x} cy={mark.y} r="13" className="fill-control stroke-surface" strokeWidth="2" />
      <text
        x={mark.x}
        y={mark.y}
        textAnchor="middle"
        dominantBaseline="central"
        className="fill-on-control text-[13px] font-semibold"
      >
        {number}
      </text>
    </g>
  )
}

function Drawing({ map, size, label }: { map: ZoneMap<DrawnThing>; size: Size; label: string }) {
  const { languages } = useApplication()
  const { metresPerUnit } = map
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size.width} ${size.height}`}
      className="block w-full rounded-md border border-border bg-sunken"
      direction="ltr"
    >
      <Grid {...{ metresPerUnit, size }} />
      <NorthArrow size={size} />
      <ScaleBar {...{ metresPerUnit, size }} locale={browserLocale(languages.current())} />
      {map.marks.map((mark, at) => (
        <Numbered key={mark.things.map(({ href }) => href).join()} mark={mark} number={at + 1} />
      ))}
    </svg>
  )
}

/** As large as its container, so markers and text have the same size on a phone. */
export function useDrawingSize(place: RefObject<HTMLElement | null>): Size {
  const [width, setWidth] = useState(640)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(1, element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return { width, height: Math.round(Math.min(SHAPE.most, Math.max(SHAPE.least, width * SHAPE.ratio))) }
}

/** What is at each numbered marker. */
function Legend({ map }: { map: ZoneMap<DrawnThing> }) {
  return (
    <ol className="space-y-1">
      {map.marks.map((mark, at) => (
        <li key={mark.things.map(({ href }) => href).join()} className="flex gap-3">
          <span
            aria-hidden="true"
            className="mt-1.5 inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-control text-xs font-semibold text-on-control"
          >
            {at + 1}
          </span>
          <span className="min-w-0">
            {mark.things.map((thing) => (
              <a
                key={thing.href}
                data-here
                href={thing.href}
                className="block rounded-sm py-1.5 wrap-anywhere hover:underline"
              >
                {thing.name}
                {thing.note === undefined ? null : <span className="text-xs text-muted"> {thing.note}</span>}
              </a>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface PlacesDrawingProps {
  placed: readonly { readonly thing: DrawnThing; readonly place: Coordinates }[]
  /** What the drawing shows, for those who can't see it. */
  label: string
}

/**
 * The relative locations of zones or cameras. There are no map tiles, because they would come from another server, which would
 * learn where the cameras are.
 */
export function PlacesDrawing({ placed, label }: PlacesDrawingProps) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const size = useDrawingSize(box)
  const map = zoneMap(placed, size, APART)
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,2fr)]">
        <div ref={box}>
          <Drawing map={map} size={size} label={label} />
        </div>
        <Legend map={map} />
      </div>
      {map.isWide ? (
        <p className="mt-3 text-xs text-muted">{t('Distances are accurate only near the center.')}</p>
      ) : null}
    </>
  )
}
