import type { ReactNode } from 'react'
import { ProgressBar } from './ProgressBar.tsx'

interface StatTileProps {
  label: string
  value: string
  /** The used share of a limit, 0 to 1; undefined if there is no limit. */
  share?: number
  /** Text below the figure. */
  children?: ReactNode
}

/** One figure with its name, for use in a `dl`. */
export function StatTile({ label, value, share, children }: StatTileProps) {
  return (
    <div className="rounded-lg border border-border bg-surface px-4 py-4 shadow-card sm:px-5">
      <dt className="text-muted">{label}</dt>
      <dd>
        <p className="mt-1 text-xl font-semibold tabular-nums">
          <bdi>{value}</bdi>
        </p>
        {share === undefined ? null : (
          <div className="mt-2">
            <ProgressBar label={label} value={Math.min(1, share)} />
          </div>
        )}
        {children === undefined ? null : <div className="mt-1.5 text-xs text-muted">{children}</div>}
      </dd>
    </div>
  )
}
