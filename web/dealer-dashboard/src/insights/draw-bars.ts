import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface BarSeries {
  readonly label: string
  readonly values: readonly number[]
  /** Names of palette tones: one for all bars, or one for each. */
  readonly tone: string
}

export interface BarChart {
  /** The labels under the groups of bars. */
  readonly labels: readonly string[]
  readonly series: readonly BarSeries[]
  readonly locale: string
}

interface Drawn {
  resize(width: number): void
  destroy(): void
}

const HEIGHT_PX = 220
const AXIS_PX = 48
const LABELS_PX = 32
const MAX_BAR_PX = 56
/** The share of a group's width that its bars take. */
const FILLED = 0.5
/** Counts are integers, so the steps between grid lines are too. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000]

const toneOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--tone-${name}`).trim()

/** Places two bars of a group on either side of its middle. */
function pathsOf(index: number, of: number): uPlot.Series.PathBuilder | undefined {
  const size: [number, number] = [FILLED / of, MAX_BAR_PX]
  if (of === 1) return uPlot.paths.bars?.({ size })
  return uPlot.paths.bars?.({ size, align: index === 0 ? -1 : 1 })
}

/** Draws a bar chart into the element, in the palette's colors. */
export function drawBars(into: HTMLElement, { labels, series, locale }: BarChart): Drawn {
  const text = toneOf('muted')
  const grid = { stroke: toneOf('border'), width: 1 }
  const font = `12px ${getComputedStyle(into).fontFamily}`
  const axis = { stroke: text, font, ticks: { show: false } }
  const places = labels.map((_, index) => index)
  const chart = new uPlot(
    {
      width: into.clientWidth,
      height: HEIGHT_PX,
      padding: [12, 8, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, labels.length - 0.5] },
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
      },
      axes: [
        {
          ...axis,
          size: LABELS_PX,
          grid: { show: false },
          splits: () => places,
          values: (_, at) => at.map((place) => labels[place] ?? ''),
        },
        {
          ...axis,
          size: AXIS_PX,
          grid,
          incrs: STEPS,
          values: (_, at) => at.map((value) => value.toLocaleString(locale)),
        },
      ],
      series: [
        {},
        ...series.map(({ label, tone }, index) => ({
          label,
          fill: toneOf(tone),
          stroke: toneOf(tone),
          width: 0,
          points: { show: false },
          paths: pathsOf(index, series.length),
        })),
      ],
    } as uPlot.Options,
    [places, ...series.map(({ values }) => [...values])],
    into,
  )
  return {
    resize: (width) => chart.setSize({ width, height: HEIGHT_PX }),
    destroy: () => chart.destroy(),
  }
}
