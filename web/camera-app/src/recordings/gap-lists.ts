import type { EndReason } from '@sightline/contract/recordings'
import { CARD, findFirstEnding, readStretch, reasons, stretchCount, type TimelineEvent } from './timeline/footage.ts'
import type { Span } from './timeline/span.ts'
import type { KnownPart } from './timeline/tile-cache.ts'

/** What a list of a row says. Times are milliseconds since 1970. */
export type FootageEntry =
  | (Span & { readonly kind: 'gap'; readonly reason: EndReason; readonly share: number })
  | (Span & { readonly kind: 'card' })
  | (Span & { readonly kind: 'event'; readonly type: TimelineEvent['type'] })

/** Parts of one stretch end and begin at the edges of tiles. */
const isContinued = (before: FootageEntry | undefined, next: FootageEntry): boolean => {
  if (before === undefined || before.kind !== next.kind || before.till < next.from) return false
  if (before.kind === 'gap' && next.kind === 'gap') return before.reason === next.reason && before.share === next.share
  return before.kind === 'card'
}

/** Gaps, footage of the card and events of a row in a range, by their start. */
export function listEntries(parts: readonly KnownPart[], span: Span): readonly FootageEntry[] {
  const found: FootageEntry[] = []
  for (const { tile, from, till } of parts) {
    const within = { from: Math.max(from, span.from), till: Math.min(till, span.till) }
    found.push(...gapsOf(tile.footage.gaps, within), ...cardsOf(tile.footage.recorded, within))
    for (const event of tile.footage.events) {
      if (event.from >= within.from && event.from < within.till)
        found.push({ kind: 'event', type: event.type, from: event.from, till: event.till })
    }
  }
  found.sort((one, other) => one.from - other.from)
  return joined(found)
}

function joined(entries: readonly FootageEntry[]): readonly FootageEntry[] {
  const found: FootageEntry[] = []
  const last = new Map<FootageEntry['kind'], number>()
  for (const entry of entries) {
    const index = last.get(entry.kind)
    const before = index === undefined ? undefined : found[index]
    if (index !== undefined && before !== undefined && isContinued(before, entry)) {
      found[index] = { ...before, till: Math.max(before.till, entry.till) }
      continue
    }
    last.set(entry.kind, found.length)
    found.push(entry)
  }
  return found
}

function gapsOf(gaps: KnownPart['tile']['footage']['gaps'], span: Span): readonly FootageEntry[] {
  const found: FootageEntry[] = []
  for (let index = findFirstEnding(gaps, span.from); index < stretchCount(gaps); index += 1) {
    const { from, till, code, share } = readStretch(gaps, index)
    if (from >= span.till) break
    found.push({ kind: 'gap', from, till, reason: reasons[code] ?? 'unknown', share: share / 255 })
  }
  return found
}

function cardsOf(recorded: KnownPart['tile']['footage']['recorded'], span: Span): readonly FootageEntry[] {
  const found: FootageEntry[] = []
  for (let index = findFirstEnding(recorded, span.from); index < stretchCount(recorded); index += 1) {
    const { from, till, code } = readStretch(recorded, index)
    if (from >= span.till) break
    if ((code & CARD) !== 0) found.push({ kind: 'card', from, till })
  }
  return found
}

const formats = new Map<string, Intl.NumberFormat>()

/** `87%`. */
export function shareText(share: number, locale: string): string {
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  formats.set(locale, format)
  return format.format(share < 0.1 ? share : Math.round(share * 100) / 100)
}
