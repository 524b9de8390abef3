import type { ReactNode } from 'react'

/** A few words shown on hover and keyboard focus of the control inside, which needs an accessible name of its own. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <span className="group/tip relative inline-flex">
      {children}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-full left-1/2 z-30 mt-1.5 -translate-x-1/2 rounded-sm bg-text px-2 py-1 text-xs whitespace-nowrap text-surface opacity-0 transition-opacity delay-300 group-focus-within/tip:opacity-100 group-hover/tip:opacity-100"
      >
        {text}
      </span>
    </span>
  )
}
