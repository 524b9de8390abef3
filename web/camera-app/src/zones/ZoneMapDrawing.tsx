import type { Zone } from '@sightline/contract/zones'
import { Card } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { browserLocale } from '../locale.ts'
import { type Coordinates, toCoordinates } from './coordinates.ts'
import { useText } from './text.ts'
import { type Mark, type Size, scaleBar, type ZoneMap, zoneMap } from './zone-map.ts'

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

function Bar({ metresPerUnit, locale, size }: { metresPerUnit: number; locale: string; size: Size }) {
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

/** A north arrow. */
function NorthArrow({ size }: { size: Size }) {
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

function Numbered({ mark, number }: { mark: Mark<Zone>; number: number }) {
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

function Drawing({ map, size, label }: { map: ZoneMap<Zone>; size: Size; label: string }) {
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
      <Bar {...{ metresPerUnit, size }} locale={browserLocale(languages.current())} />
      {map.marks.map((mark, at) => (
        <Numbered key={mark.things.map(({ zoneId }) => zoneId).join()} mark={mark} number={at + 1} />
      ))}
    </svg>
  )
}

/** As large as its container, so markers and text have the same size on a phone. */
function useSize(place: RefObject<HTMLElement | null>): Size {
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

/** The zones of each numbered marker. */
function Legend({ map }: { map: ZoneMap<Zone> }) {
  const t = useText()
  return (
    <ol className="space-y-1">
      {map.marks.map((mark, at) => (
        <li key={mark.things.map(({ zoneId }) => zoneId).join()} className="flex gap-3">
          <span
            aria-hidden="true"
            className="mt-1.5 inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-control text-xs font-semibold text-on-control"
          >
            {at + 1}
          </span>
          <span className="min-w-0">
            {mark.things.map((zone) => (
              <a
                key={zone.zoneId}
                data-here
                href={`/app/zones/${zone.zoneId}`}
                className="block rounded-sm py-1.5 wrap-anywhere hover:underline"
              >
                {zone.name}{' '}
                <span className="text-xs text-muted">{t('Cameras: {count}', { count: zone.cameraIds.length })}</span>
              </a>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface Placed {
  readonly thing: Zone
  readonly place: Coordinates
}

function DrawingWithLegend({ placed }: { placed: readonly Placed[] }) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const map = zoneMap(placed, size, APART)
  const zones = placed.map(({ thing }) => thing.name).join(', ')
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,2fr)]">
        <div ref={box}>
          <Drawing map={map} size={size} label={t('Drawing of zone locations: {zones}', { zones })} />
        </div>
        <Legend map={map} />
      </div>
      {map.isWide ? (
        <p className="mt-3 text-xs text-muted">{t('Distances are accurate only near the center.')}</p>
      ) : null}
    </>
  )
}

/**
 * The relative locations of the zones. There are no map tiles, because they would come from another server, which would
 * learn where the cameras are.
 */
export function ZoneMapDrawing({ zones }: { zones: readonly Zone[] }) {
  const t = useText()
  const placed = zones.flatMap((zone) => {
    const place = toCoordinates(zone)
    return place === undefined ? [] : [{ thing: zone, place }]
  })
  if (placed.length === 0) return null
  const missing = zones.length - placed.length
  return (
    <Card
      title={t('Zone locations')}
      description={t('Zones are drawn relative to each other, with north up. No online map is loaded.')}
      className="mt-6"
    >
      <DrawingWithLegend placed={placed} />
      {missing === 0 ? null : (
        <p className="mt-3 text-xs text-muted">{t('Zones without a location: {count}', { count: missing })}</p>
      )}
    </Card>
  )
}
