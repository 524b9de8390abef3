import { Button } from '../Button.tsx'
import { useKitText } from '../kit-text.tsx'
import type { TableView } from './table-view.ts'

const count = (value: number): string => value.toLocaleString(document.documentElement.lang || undefined)

function Bar({ label, share }: { label: string; share: number }) {
  const percent = Math.round(100 * Math.min(1, share))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      className="h-1.5 min-w-24 flex-1 overflow-hidden rounded-full bg-border"
    >
      <div className="h-full rounded-full bg-primary" style={{ width: `${percent}%` }} />
    </div>
  )
}

/** The number of rows loaded so far, with buttons to stop or continue; nothing once all rows are loaded. */
export function GatheringBar<Row>({ view, beyond }: { view: TableView<Row>; beyond: string | undefined }) {
  const text = useKitText()
  const { gathering, rows = [], total } = view
  if (gathering === undefined || gathering.state === 'whole' || rows.length === 0) return null
  const { state, onStop, onGoOn } = gathering
  if (state === 'capped') {
    return (
      <p role="status" className="border-b border-border px-3 py-2 text-muted">
        {text('Only the first {count} rows are shown. Search or filter to find others.', {
          count: rows.length,
        })}{' '}
        {beyond}
      </p>
    )
  }
  const told =
    total === undefined
      ? text('{count} rows loaded', { count: rows.length })
      : text('{count} of {total} rows loaded', { count: count(rows.length), total })
  return (
    <div data-screen-only className="flex items-center gap-x-4 border-b border-border px-3 py-2">
      <span role="status" className="text-muted tabular-nums">
        {told}
      </span>
      {total === undefined ? null : <Bar label={told} share={rows.length / total} />}
      <Button variant="secondary" onClick={state === 'running' ? onStop : onGoOn}>
        {text(state === 'running' ? 'Stop loading' : 'Continue loading')}
      </Button>
    </div>
  )
}
