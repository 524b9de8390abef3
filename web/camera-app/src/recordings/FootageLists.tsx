import { memo, useState } from 'react'
import { eventTexts } from './event-texts.ts'
import { type FootageEntry, listEntries, shareText } from './gap-lists.ts'
import { cardText, dayFormat, gapText, type LocalFormat, reasonTexts } from './gap-text.ts'
import { type Text, type Translate, useText } from './text.ts'
import type { TimelineView, ViewSummary } from './timeline/view.ts'
import { zoneClock } from './timeline/zone-clock.ts'
import type { TimelineRow } from './timeline-props.ts'
import { useSettled } from './use-settled.ts'

interface FootageListsProps {
  view: TimelineView
  rows: readonly TimelineRow[]
  place: LocalFormat
  summary: ViewSummary
}

/** What is drawn, as text for screen readers. Neither the pointer nor a moving timeline draws it again. */
export const FootageLists = memo(function FootageLists({ view, rows, place, summary }: FootageListsProps) {
  const settled = useSettled(summary)
  return rows.map((row, index) => (
    <ListsOfRow
      key={row.cameraId}
      name={row.name}
      // The version says that something was read.
      entries={entriesAt(view, index, settled)}
      place={place}
    />
  ))
})

const entriesAt = (view: TimelineView, row: number, { span }: ViewSummary): readonly FootageEntry[] =>
  listEntries(view.partsOf(row), span)

interface RowProps {
  name: string | undefined
  entries: readonly FootageEntry[]
  place: LocalFormat
}

function ListsOfRow({ name, entries, place }: RowProps) {
  const kinds = [
    { kind: 'gap', label: 'Gaps in the footage' },
    { kind: 'event', label: 'Events' },
    { kind: 'card', label: 'Footage from the camera’s card' },
  ] as const
  return kinds.map(({ kind, label }) => (
    <EntryList key={kind} {...{ name, label, place }} entries={entries.filter((entry) => entry.kind === kind)} />
  ))
}

/** The entries of one part of a list. */
const PART = 50

/** A list of which a part is in the page, because a day may have thousands of gaps. */
function EntryList({ name, label, entries, place }: RowProps & { label: Text }) {
  const t = useText()
  const [chosen, choose] = useState(0)
  const parts = Math.max(1, Math.ceil(entries.length / PART))
  const part = Math.min(chosen, parts - 1)
  if (entries.length === 0) return null
  const title = name === undefined ? t(label) : `${t(label)}: ${name}`
  const first = part * PART
  return (
    <div className="sr-only focus-within:not-sr-only">
      <ul aria-label={title}>
        {entries.slice(first, first + PART).map((entry, index) => (
          <li
            key={`${entry.kind}${entry.from}${entry.kind === 'gap' ? entry.reason : ''}`}
            aria-setsize={entries.length}
            aria-posinset={first + index + 1}
            data-from={entry.from}
            data-till={entry.till}
            data-gap={entry.kind === 'gap' ? entry.reason : undefined}
            data-card={entry.kind === 'card' || undefined}
            data-event={entry.kind === 'event' ? entry.type : undefined}
          >
            {entryText(entry, place, t)}
          </li>
        ))}
      </ul>
      {parts === 1 ? null : (
        <span className="flex gap-2 text-sm">
          <button type="button" disabled={part === 0} onClick={() => choose(part - 1)}>
            {t('Earlier: {list}', { list: title })}
          </button>
          <button type="button" disabled={part === parts - 1} onClick={() => choose(part + 1)}>
            {t('Later: {list}', { list: title })}
          </button>
        </span>
      )}
    </div>
  )
}

function entryText(entry: FootageEntry, place: LocalFormat, t: Translate): string {
  if (entry.kind === 'card') return cardText(entry, place, t)
  const clock = zoneClock(place.timeZone)
  const day = dayFormat(place).format(entry.from)
  if (entry.kind === 'event') return `${day}, ${clock.timeText(entry.from, true)}: ${t(eventTexts[entry.type])}`
  if (entry.share > 0.999) return gapText(entry, place, t)
  const share = shareText(entry.share, place.locale)
  const time = `${day}, ${clock.timeText(entry.from)}`
  return t('{time}: {share} without footage, {reason}', { time, share, reason: t(reasonTexts[entry.reason]) })
}
