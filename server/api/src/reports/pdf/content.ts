import type { ReportType } from '@sightline/contract/reports'
import type { ReportWords, Speech } from './words.ts'

export type PrintedType = Exclude<ReportType, 'eventCounts'>
type Cell = string | number | boolean | null
/** A row by the names of its columns. */
export type Row = Readonly<Record<string, Cell>>

export interface PdfColumn {
  readonly title: string
  /** Share of the width, relative to the other columns. */
  readonly share: number
  readonly align: 'left' | 'right'
  text(row: Row): string
  /** A bar next to the text, from 0 to 1. */
  bar?(row: Row): number
}

/** One bar per item: vertical for days, horizontal for objects. */
export interface Plot {
  readonly kind: 'days' | 'things'
  readonly title: string
  readonly bars: readonly { readonly label: string; readonly value: number; readonly text: string }[]
  /** The end of the scale. */
  readonly most: number
  text(value: number): string
}

export interface PdfFigure {
  readonly name: string
  readonly text: string
}

/** The content of a page in words; the layout is separate. */
export interface Content {
  readonly figures: readonly PdfFigure[]
  readonly plot: Plot
  readonly columns: readonly PdfColumn[]
}

/** Maximum bars of objects on a page. */
const MAX_BARS = 12

export function buildContent(type: PrintedType, rows: readonly Row[], speech: Speech): Content {
  switch (type) {
    case 'cameraUptime':
      return uptime(rows, speech)
    case 'storageUsage':
      return storage(rows, speech)
    case 'userActivity':
      return activity(rows, speech)
    case 'billing':
      return billing(rows, speech)
  }
}

const num = (row: Row, name: string): number => Number(row[name] ?? 0)
const sum = (rows: readonly Row[], name: string): number => rows.reduce((total, row) => total + num(row, name), 0)
const groups = (rows: readonly Row[], name: string): ReadonlyMap<Cell, readonly Row[]> =>
  Map.groupBy(rows, (row) => row[name] ?? null)

type Title = keyof ReportWords['columns']

const counted = (speech: Speech, name: Title, share = 1): PdfColumn => ({
  title: speech.words.columns[name],
  share,
  align: 'right',
  text: (row) => speech.number(num(row, name)),
})

const measured = (speech: Speech, name: Title, unit: 'hours' | 'bytes', title: Title = name): PdfColumn => ({
  title: speech.words.columns[title],
  share: 1.2,
  align: 'right',
  text: (row) => speech[unit](num(row, name)),
})

/** Names of objects; duplicates get their ids. */
function named(rows: readonly Row[], { name, id }: { name: Title; id: string }, speech: Speech): PdfColumn {
  const ids = new Map([...groups(rows, name)].map(([key, same]) => [key, new Set(same.map((row) => row[id])).size]))
  return {
    title: speech.words.columns[name],
    share: 2.6,
    align: 'left',
    text(row) {
      const given = row[name]
      if (given === null || given === undefined || given === '')
        return `${speech.words.unnamed} ${row[id] ?? ''}`.trim()
      return (ids.get(given) ?? 1) > 1 ? `${given} (${row[id]})` : String(given)
    },
  }
}

const dayColumn = (speech: Speech): PdfColumn => ({
  title: speech.words.columns.day,
  share: 1.3,
  align: 'left',
  text: (row) => speech.day(String(row.day)),
})

function byDay(rows: readonly Row[], name: string, plot: Pick<Plot, 'title' | 'text'>, speech: Speech): Plot {
  const bars = [...groups(rows, 'day')].map(([day, of]) => {
    const value = sum(of, name)
    return { label: speech.shortDay(String(day)), value, text: plot.text(value) }
  })
  return { kind: 'days', ...plot, bars, most: Math.max(1, ...bars.map(({ value }) => value)) }
}

const shareOf = (recorded: number, hours: number): number =>
  hours <= 0 ? 100 : Math.min(100, Math.max(0, (recorded / hours) * 100))

function uptime(rows: readonly Row[], speech: Speech): Content {
  const { words } = speech
  const camera = named(rows, { name: 'camera', id: 'cameraId' }, speech)
  const cameras = groups(rows, 'cameraId')
  const bars = [...cameras.values()]
    .map((of) => {
      const value = shareOf(sum(of, 'recordedHours'), sum(of, 'hours'))
      return { label: camera.text(of[0] ?? {}), value, text: speech.percent(value) }
    })
    .sort((a, b) => a.value - b.value)
    .slice(0, MAX_BARS)
  const recorded = sum(rows, 'recordedHours')
  return {
    figures: [
      { name: words.figures.uptime, text: speech.percent(shareOf(recorded, sum(rows, 'hours'))) },
      { name: words.figures.recorded, text: speech.hours(recorded) },
      { name: words.figures.cameras, text: speech.number(cameras.size) },
    ],
    plot: { kind: 'things', title: words.plots.cameraUptime, bars, most: 100, text: speech.percent },
    columns: [
      dayColumn(speech),
      camera,
      measured(speech, 'recordedHours', 'hours'),
      measured(speech, 'hours', 'hours'),
      {
        title: words.columns.uptimePercent,
        share: 1.8,
        align: 'right',
        text: (row) => speech.percent(num(row, 'uptimePercent')),
        bar: (row) => num(row, 'uptimePercent') / 100,
      },
    ],
  }
}

function storage(rows: readonly Row[], speech: Speech): Content {
  const { words } = speech
  const total = sum(rows, 'bytes')
  return {
    figures: [
      { name: words.figures.storage, text: speech.bytes(total) },
      { name: words.figures.perDay, text: speech.bytes(total / Math.max(1, groups(rows, 'day').size)) },
      { name: words.figures.cameras, text: speech.number(groups(rows, 'cameraId').size) },
    ],
    plot: byDay(rows, 'bytes', { title: words.plots.storageUsage, text: speech.bytes }, speech),
    columns: [
      dayColumn(speech),
      named(rows, { name: 'camera', id: 'cameraId' }, speech),
      measured(speech, 'bytes', 'bytes'),
      measured(speech, 'hours', 'hours', 'footage'),
    ],
  }
}

function activity(rows: readonly Row[], speech: Speech): Content {
  const { words } = speech
  const person = named(rows, { name: 'user', id: 'userId' }, speech)
  const total = sum(rows, 'total')
  return {
    figures: [
      { name: words.figures.actions, text: speech.number(total) },
      { name: words.figures.perDay, text: speech.number(total / Math.max(1, groups(rows, 'day').size)) },
      { name: words.figures.people, text: speech.number(groups(rows, 'userId').size) },
    ],
    plot: byDay(rows, 'total', { title: words.plots.userActivity, text: speech.number }, speech),
    columns: [
      dayColumn(speech),
      { ...person, text: (row) => (row.staff === true ? `${person.text(row)} · ${words.staff}` : person.text(row)) },
      counted(speech, 'signIns'),
      counted(speech, 'liveViews'),
      counted(speech, 'playbacks'),
      counted(speech, 'otherActions'),
      counted(speech, 'total'),
    ],
  }
}

function billing(rows: readonly Row[], speech: Speech): Content {
  const { words } = speech
  const plain = (name: 'package' | 'sku', share: number): PdfColumn => ({
    title: words.columns[name],
    share,
    align: 'left',
    text: (row) => String(row[name] ?? '–'),
  })
  const statuses: Readonly<Record<string, string>> = words.status
  const cameras = byDay(rows, 'cameras', { title: words.plots.billing, text: speech.number }, speech)
  return {
    figures: [
      { name: words.figures.accounts, text: speech.number(groups(rows, 'accountId').size) },
      { name: words.figures.cameras, text: speech.number(cameras.bars.at(-1)?.value ?? 0) },
    ],
    plot: cameras,
    columns: [
      dayColumn(speech),
      named(rows, { name: 'account', id: 'accountId' }, speech),
      { ...plain('sku', 1.4), title: words.columns.status, text: (row) => statuses[String(row.status)] ?? '–' },
      plain('package', 2),
      plain('sku', 1.2),
      counted(speech, 'cameras'),
    ],
  }
}
