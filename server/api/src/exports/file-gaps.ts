import type { ExportedGap } from './making-store.ts'
import type { ExportRow } from './store.ts'
import type { ZipClip } from './zip-artefact.ts'

/** The times without footage of an export that is one file; null if they aren't all listed. */
export function fileGaps(
  { from, till, gaps, allGaps }: Pick<ZipClip, 'from' | 'till' | 'gaps' | 'allGaps'>,
  row: Pick<ExportRow, 'started_at' | 'ended_at'>,
): readonly ExportedGap[] | null {
  if (gaps.length < allGaps) return null
  const around = [
    { from: row.started_at, till: from },
    { from: till, till: row.ended_at },
  ].filter((gap) => gap.till > gap.from)
  return [...around, ...gaps].sort((one, other) => one.from - other.from)
}
