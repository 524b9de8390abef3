import type { KeyboardEvent } from 'react'
import { lazyModule, useLazyModule } from './lazy-module.ts'

export interface TickBoxProps {
  id: string
  /** The accessible name, if there is no visible label. */
  label?: string
  checked: boolean | 'some'
  disabled?: boolean
  onChange: (checked: boolean, withShift: boolean) => void
  onKeyDown?: (event: KeyboardEvent) => void
}

const tickBoxClass =
  'inline-flex size-4.5 shrink-0 items-center justify-center rounded-[0.25rem] border border-outline bg-surface'

const control = lazyModule(() => import('./popups/TickBoxControl.tsx'))

/**
 * The box of a checkbox, with a dash if only some are checked; its label wraps it. It is empty until its control has loaded,
 * because a table shows its rows first.
 */
export function TickBox(props: TickBoxProps) {
  const Module = useLazyModule(control, true)
  return Module === undefined ? (
    <span className={tickBoxClass} />
  ) : (
    <Module.TickBoxControl {...props} className={tickBoxClass} />
  )
}
