import type { ReactNode } from 'react'

export interface Detail {
  readonly label: string
  readonly value: ReactNode
}

/** An object's values, each under its name. */
export function Details({ details }: { details: readonly Detail[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      {details.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="mt-0.5 wrap-anywhere">
            {/* Numbers with units and names keep their order in pages that run right to left. */}
            {typeof value === 'string' ? <bdi>{value}</bdi> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
